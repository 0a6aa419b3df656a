#include "explore/decided.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "explore/race.h"

#define FILE_MAX (64u << 20)

static const char *const names[DH_VERDICT_COUNT] = {"diverged", "benign", "harmful", "failed"};

const char *dh_verdict_name(enum dh_verdict_kind kind)
{
	return names[kind];
}

static uint64_t hash_key(const char *key)
{
	return XXH3_64bits(key, strlen(key));
}

void dh_decided_key(const char *in, const struct dh_race *race, char ret[DH_DECIDED_KEY])
{
	int n = in[0] ? snprintf(ret, DH_DECIDED_KEY, "%016llx.", (unsigned long long)hash_key(in))
		      : 0;

	n += snprintf(ret + n, DH_DECIDED_KEY - (size_t)n, "%s%s", dh_race_kind_name(race->kind),
		race->kind == DH_RACE_SIGNAL && !race->late ? "-later" : "");
	for (uint32_t i = 0; i < race->n_calls; i++)
		n += snprintf(ret + n, DH_DECIDED_KEY - (size_t)n, "-%u", race->calls[i]);
}

/* "harmful", or with how that was found: "harmful,kept,recorded". */
static bool parse_kind(char *text, struct dh_verdict *v)
{
	char *save = NULL, *word = strtok_r(text, ",", &save);
	int k = 0;

	while (word && k < DH_VERDICT_COUNT && strcmp(word, names[k]) != 0)
		k++;
	if (!word || k == DH_VERDICT_COUNT)
		return false;
	v->kind = (enum dh_verdict_kind)k;
	while ((word = strtok_r(NULL, ",", &save))) {
		v->kept |= strcmp(word, "kept") == 0;
		v->recorded |= strcmp(word, "recorded") == 0;
		v->ordered |= strcmp(word, "ordered") == 0;
	}
	return true;
}

static void parse_line(struct dh_decided *d, char *line)
{
	char key[DH_DECIDED_KEY], kind[48];
	struct dh_verdict v = {.again = true}, *kept;
	unsigned failure;
	int at = 0;

	if (sscanf(line, "%127s %47s %u %d %d %lf %n", key, kind, &failure, &v.tries, &v.hits,
		    &v.seconds, &at) < 6 ||
		failure >= DH_FAILURE_COUNT || strchr(key, '/') || !parse_kind(kind, &v))
		return;
	v.failure = (enum dh_outcome_failure)failure;
	snprintf(v.detail, sizeof(v.detail), "%s", line + at);
	if (v.kind == DH_VERDICT_HARMFUL)
		snprintf(v.recording, sizeof(v.recording), "%s/branches/%s", d->dir, key);
	free(dh_map_getp(&d->verdicts, hash_key(key)));
	kept = dh_new(struct dh_verdict);
	*kept = v;
	dh_map_setp(&d->verdicts, hash_key(key), kept);
}

int dh_decided_open(const char *recording, struct dh_decided *ret, struct dh_error *err)
{
	DH_FREE char *branches = dh_asprintf("%s/explore/branches", recording);
	DH_FREE char *path = dh_asprintf("%s/explore/decided", recording);
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	struct dh_decided d = {.fd = -1};
	int r = dh_mkdir_p(branches, 0755, err);

	if (r < 0)
		return r;
	d.dir = dh_asprintf("%s/explore", recording);
	d.fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (d.fd < 0) {
		r = dh_error_set(err, errno, "%s: %s", path, strerror(errno));
		dh_decided_release(&d);
		return r;
	}
	r = dh_read_fd(d.fd, FILE_MAX, &text);
	for (char *line = text.data, *end; r == 0 && line && (end = strchr(line, '\n'));
		line = end + 1) {
		*end = '\0';
		parse_line(&d, line);
	}
	*ret = d;
	return 0;
}

const struct dh_verdict *dh_decided_find(const struct dh_decided *d, const char *key)
{
	return dh_map_getp(&d->verdicts, hash_key(key));
}

int dh_decided_add(struct dh_decided *d, const char *key, const struct dh_verdict *v)
{
	DH_BUF struct dh_buf line = DH_BUF_INIT;

	dh_buf_addf(&line, "%s %s%s%s%s %u %d %d %.3f %s", key, names[v->kind],
		v->kept ? ",kept" : "", v->recorded ? ",recorded" : "",
		v->ordered ? ",ordered" : "", v->failure, v->tries, v->hits, v->seconds, v->detail);
	for (size_t i = 0; i < line.len; i++)
		if (line.data[i] == '\n')
			line.data[i] = ' ';
	dh_buf_addc(&line, '\n');
	return dh_write_full(d->fd, line.data, line.len);
}

void dh_decided_release(struct dh_decided *d)
{
	dh_map_foreach (slot, &d->verdicts)
		free((void *)(uintptr_t)slot->value);
	dh_map_release(&d->verdicts);
	dh_closep(&d->fd);
	free(d->dir);
	*d = (struct dh_decided){.fd = -1};
}
