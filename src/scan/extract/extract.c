#include "scan/extract/extract.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "scan/extract/cache.h"
#include "scan/extract/command.h"
#include "scan/extract/flags.h"
#include "scan/extract/helper.h"
#include "scan/extract/job.h"
#include "scan/extract/path.h"
#include "scan/ir/ir.h"

#define MAX_OUTPUT ((size_t)2 << 30)

struct unit {
	const struct dh_scan_command *command;
	char **flags;
	struct dh_scan_key key;
	bool cached, failed;
};

struct run {
	const struct dh_scan_extract_options *o;
	struct dh_scan_extraction *result;
	struct dh_scan_cache *cache;
	struct dh_scan_helper *helper;
	char clang[1024];
	struct unit *units;
	size_t n, done;
};

void dh_scan_extraction_release(struct dh_scan_extraction *e)
{
	for (size_t i = 0; i < e->n_failures; i++) {
		free(e->failures[i].file);
		free(e->failures[i].text);
	}
	free(e->failures);
	free(e->first_lost);
	*e = (struct dh_scan_extraction){0};
}

static struct dh_scan_key key_of(const struct run *r, const struct unit *u)
{
	size_t n = 0;
	const char **parts, *fixed[] = {r->clang, r->o->root, u->command->dir, u->command->file};
	struct dh_scan_key key;

	while (u->flags[n])
		n++;
	parts = dh_new_n(const char *, n + DH_ARRAY_SIZE(fixed) + 1);
	memcpy(parts, fixed, sizeof(fixed));
	memcpy(parts + DH_ARRAY_SIZE(fixed), u->flags, (n + 1) * sizeof(*parts));
	key = dh_scan_key(parts);
	free(parts);
	return key;
}

static void fail(struct run *r, size_t i, const char *text)
{
	struct dh_scan_extraction *e = r->result;

	r->units[i].failed = true;
	DH_GROW(e->failures, e->n_failures, e->cap_failures);
	e->failures[e->n_failures++] =
		(struct dh_scan_failure){.file = dh_scan_path(r->units[i].command->dir,
						 r->units[i].command->file, r->o->root),
			.text = dh_strdup(text)};
}

static void tell(struct run *r, size_t i)
{
	if (r->o->progress)
		r->o->progress(r->o->arg, r->done, r->n, r->units[i].command->file);
}

static int send_job(struct run *r, size_t i, struct dh_error *err)
{
	const struct unit *u = &r->units[i];
	DH_FREE char *number = dh_asprintf("%zu", i), *output = dh_scan_cache_scratch(r->cache, i);
	DH_FREE char *name = dh_scan_path(u->command->dir, u->command->file, r->o->root);
	const char **parts;
	size_t n = 0;
	int ret;

	while (u->flags[n])
		n++;
	parts = dh_new_n(const char *, n + DH_SCAN_JOB_FLAGS + 1);
	parts[DH_SCAN_JOB_NUMBER] = number;
	parts[DH_SCAN_JOB_CLANG] = r->clang;
	parts[DH_SCAN_JOB_DIR] = u->command->dir;
	parts[DH_SCAN_JOB_FILE] = u->command->file;
	parts[DH_SCAN_JOB_NAME] = name;
	parts[DH_SCAN_JOB_ROOT] = r->o->root;
	parts[DH_SCAN_JOB_OUTPUT] = output;
	memcpy(parts + DH_SCAN_JOB_FLAGS, u->flags, (n + 1) * sizeof(*parts));
	ret = dh_scan_helper_send(r->helper, parts, err);
	free(parts);
	return ret;
}

/* Of a source that the compiler rejects, the cache remembers that. */
static int keep_rejection(
	struct run *r, size_t i, const char *path, const char *why, struct dh_error *err)
{
	DH_BUF struct dh_buf output = DH_BUF_INIT;

	fail(r, i, why);
	if (dh_read_file(path, MAX_OUTPUT, &output, NULL) < 0)
		return 0;
	unlink(path);
	return dh_scan_cache_reject(
		r->cache, &r->units[i].key, dh_buf_str(&output), output.len, why, err);
}

/* A job is done: its output goes to the cache. */
static int finish_job(struct run *r, const struct dh_scan_result *result, struct dh_error *err)
{
	size_t i = result->number;
	DH_FREE char *path = dh_scan_cache_scratch(r->cache, i);
	DH_BUF struct dh_buf output = DH_BUF_INIT;
	int ret;

	if (i >= r->n)
		return dh_error_set(err, EBADMSG, "deadheat-extract spoke of an unknown job");
	r->done++;
	tell(r, i);
	if (result->code < 0)
		return keep_rejection(r, i, path, result->text, err);
	ret = dh_read_file(path, MAX_OUTPUT, &output, err);
	unlink(path);
	if (ret == 0)
		ret = dh_scan_cache_store(
			r->cache, &r->units[i].key, dh_buf_str(&output), output.len, err);
	r->result->compiled += ret == 0;
	return ret;
}

/* Sends the next job that is to be done, if there is one. */
static int send_next(struct run *r, size_t *next, size_t *running, struct dh_error *err)
{
	while (*next < r->n && r->units[*next].cached)
		++*next;
	if (*next == r->n)
		return 0;
	++*running;
	return send_job(r, (*next)++, err);
}

/* The helper always has jobs in store: it does not wait while the last one is put into the cache.
 */
static int compile_all(struct run *r, struct dh_error *err)
{
	struct dh_scan_result result;
	size_t next = 0, running = 0;
	int ret = 0;

	for (unsigned i = 0; ret == 0 && i < 2 * r->o->jobs; i++)
		ret = send_next(r, &next, &running, err);
	while (ret == 0 && running) {
		ret = dh_scan_helper_receive(r->helper, &result, err);
		running--;
		if (ret == 0)
			ret = send_next(r, &next, &running, err);
		if (ret == 0)
			ret = finish_job(r, &result, err);
	}
	return ret;
}

static int by_name(const void *a, const void *b)
{
	const struct dh_scan_failure *x = a, *y = b;

	return strcmp(x->file, y->file);
}

static void load_all(struct run *r, struct dh_scan_program *p)
{
	struct dh_scan_extraction *e = r->result;
	struct dh_scan_cache_stats stats;

	for (size_t i = 0; i < r->n; i++) {
		if (r->units[i].failed)
			continue;
		if (dh_scan_cache_load(r->cache, &r->units[i].key, p))
			e->units++;
		else
			fail(r, i,
				"its summary cannot be read; was a file changed in the meantime?");
	}
	for (uint32_t i = 1; i < p->n_units; i++)
		e->lines += p->units[i].lines;
	stats = dh_scan_cache_stats(r->cache);
	e->shared = stats.shared;
	e->shared_uses = stats.shared_uses;
	e->damaged = stats.damaged;
	if (e->n_failures)
		qsort(e->failures, e->n_failures, sizeof(*e->failures), by_name);
}

static void note_lost(struct dh_scan_extraction *e, char *lost)
{
	e->lost += lost != NULL;
	if (e->first_lost)
		free(lost);
	else
		e->first_lost = lost;
}

static void prepare(struct run *r, const struct dh_scan_commands *commands)
{
	r->n = commands->n;
	r->units = dh_zalloc((r->n + 1) * sizeof(*r->units));
	for (size_t i = 0; i < r->n; i++) {
		struct unit *u = &r->units[i];
		char *lost = NULL, *why = NULL;

		u->command = &commands->items[i];
		u->flags = dh_scan_flags(u->command, dh_scan_helper_version(), &lost);
		note_lost(r->result, lost);
		u->key = key_of(r, u);
		u->cached = dh_scan_cache_has(r->cache, &u->key, &why);
		if (why)
			fail(r, i, why);
		free(why);
		r->done += u->cached;
		if (u->cached)
			tell(r, i);
	}
}

int dh_scan_extract(const struct dh_scan_commands *commands,
	const struct dh_scan_extract_options *o, struct dh_scan_program *p,
	struct dh_scan_extraction *ret, struct dh_error *err)
{
	struct run r = {.o = o, .result = ret};
	int code = dh_scan_helper_clang(r.clang, sizeof(r.clang), err);

	if (code == 0)
		code = dh_scan_cache_open(o->cache, &r.cache, err);
	if (code < 0)
		return code;
	prepare(&r, commands);
	if (r.done < r.n)
		code = dh_scan_helper_start(r.clang, o->jobs, &r.helper, err);
	if (code == 0)
		code = compile_all(&r, err);
	ret->by_clang = r.helper && dh_scan_helper_is_clang(r.helper);
	dh_scan_helper_stop(r.helper);
	if (code == 0)
		load_all(&r, p);
	for (size_t i = 0; i < r.n; i++)
		dh_scan_flags_free(r.units[i].flags);
	free(r.units);
	dh_scan_cache_close(r.cache);
	return code;
}
