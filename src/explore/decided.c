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

void dh_decided_key(const struct dh_race *race, char *ret, size_t size)
{
	int n = snprintf(ret, size, "%s", dh_race_kind_name(race->kind));

	for (uint32_t i = 0; i < race->n_calls && n > 0 && (size_t)n < size; i++)
		n += snprintf(ret + n, size - (size_t)n, "-%u", race->calls[i]);
}

static uint64_t hash_key(const char *key)
{
	return XXH3_64bits(key, strlen(key));
}

static void parse_line(struct dh_decided *d, char *line)
{
	char key[128], kind[16];
	unsigned failure;
	int tries, hits, at = 0;
	double seconds;
	struct dh_verdict *v;

	if (sscanf(line, "%127s %15s %u %d %d %lf %n", key, kind, &failure, &tries, &hits, &seconds,
		    &at) < 6 ||
		failure >= DH_FAILURE_COUNT)
		return;
	for (int k = 0; k < DH_VERDICT_COUNT; k++) {
		if (strcmp(kind, names[k]) != 0)
			continue;
		free(dh_map_getp(&d->verdicts, hash_key(key)));
		v = dh_new(struct dh_verdict);
		*v = (struct dh_verdict){.kind = (enum dh_verdict_kind)k,
			.failure = (enum dh_outcome_failure)failure,
			.tries = tries,
			.hits = hits,
			.seconds = seconds,
			.tighter = DH_NO_RACE,
			.like = DH_NO_RACE,
			.again = true};
		snprintf(v->detail, sizeof(v->detail), "%s", line + at);
		if (k == DH_VERDICT_HARMFUL)
			snprintf(v->recording, sizeof(v->recording), "%s/branches/%s", d->dir, key);
		dh_map_setp(&d->verdicts, hash_key(key), v);
	}
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

const struct dh_verdict *dh_decided_find(const struct dh_decided *d, const struct dh_race *race)
{
	char key[128];

	dh_decided_key(race, key, sizeof(key));
	return dh_map_getp(&d->verdicts, hash_key(key));
}

int dh_decided_add(struct dh_decided *d, const struct dh_race *race, const struct dh_verdict *v)
{
	DH_BUF struct dh_buf line = DH_BUF_INIT;
	char key[128];

	dh_decided_key(race, key, sizeof(key));
	dh_buf_addf(&line, "%s %s %u %d %d %.3f %s", key, names[v->kind], v->failure, v->tries,
		v->hits, v->seconds, v->detail);
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
