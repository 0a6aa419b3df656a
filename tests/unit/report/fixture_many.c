/* Made-up findings in any number, always the same for the same number. */
#include "fixture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/forward.h"
#include "model/finding.h"

static uint32_t next(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33);
}

static const char *pick(uint64_t *seed, const char *const *words, size_t n)
{
	return words[next(seed) % n];
}

static const char *const folders[] = {
	"net", "cache", "store", "http", "sched", "log", "auth", "io"};
static const char *const files[] = {"table", "pool", "queue", "session", "ring", "index", "conn"};
static const char *const verbs[] = {"get", "put", "flush", "drop", "grow", "close", "poll", "scan"};
static const char *const fields[] = {
	"refs", "head", "tail", "state", "len", "next", "owner", "seq"};

/* One side out of few files, so that they repeat as they do in life; with its steps when label
 * names the access. */
static void add_side(struct dh_finding *f, uint64_t *seed, const char *role, int lane,
	enum dh_access_kind kind, const char *label)
{
	const char *folder = pick(seed, folders, DH_ARRAY_SIZE(folders));
	const char *file = pick(seed, files, DH_ARRAY_SIZE(files));
	char path[64], function[64], who[32], lock[32];
	const char *locks[] = {lock};
	struct dh_frame stack[4];
	struct dh_site s = {.role = role, .who = who, .locks = locks, .n_locks = next(seed) % 2};

	snprintf(path, sizeof(path), "src/%s/%s.c", folder, file);
	snprintf(
		function, sizeof(function), "%s_%s", file, pick(seed, verbs, DH_ARRAY_SIZE(verbs)));
	snprintf(who, sizeof(who), "thread %d (%s)", lane, folder);
	snprintf(lock, sizeof(lock), "%s_lock", file);
	for (size_t i = 0; i < DH_ARRAY_SIZE(stack); i++)
		stack[i] = (struct dh_frame){.function = i ? verbs[next(seed) % 8] : function,
			.file = path,
			.line = next(seed) % 900 + 1,
			.column = next(seed) % 40 + 1,
			.module = "/srv/app/server",
			.offset = next(seed) % 0xfffff};
	s.at = stack[0];
	s.access = (struct dh_access){kind, 8, false, true, next(seed) % 100, next(seed) % 100};
	s.stack = (struct dh_stack){stack, DH_ARRAY_SIZE(stack)};
	dh_finding_add_site(f, &s);
	if (!label)
		return;

	struct dh_step steps[] = {{who, DH_STEP_LOCK, lock, path, stack[0].line, -1},
		{who, DH_STEP_ACCESS, label, path, stack[0].line, (int)f->n_sites - 1},
		{who, DH_STEP_UNLOCK, lock, path, stack[0].line + 2, -1}};
	for (size_t i = !s.n_locks; i < DH_ARRAY_SIZE(steps) - !s.n_locks; i++)
		dh_finding_add_step(f, &steps[i]);
}

static struct dh_finding *make(uint64_t seed)
{
	struct dh_finding *f = dh_finding_new(next(&seed) % DH_KIND_COUNT);
	const char *field = pick(&seed, fields, DH_ARRAY_SIZE(fields));
	bool timeline = next(&seed) % 4;
	struct dh_evidence e = {.level = next(&seed) % DH_LEVEL_COUNT,
		.by = next(&seed) % 2 ? "fuzz" : "scan",
		.when = 1767225600 + next(&seed) % 1000000,
		.tries = 100,
		.hits = next(&seed) % 100,
		.reproduce = "deadheat fuzz --replay 17 -- ./server --port 8080"};
	char variable[64];

	snprintf(variable, sizeof(variable), "%s%u->%s", pick(&seed, files, DH_ARRAY_SIZE(files)),
		next(&seed) % 50, field);
	f->variable = dh_finding_strdup(f, variable);
	dh_finding_set_title(f, "unordered write and read of '%s'", variable);
	dh_finding_add_reason(f, "written in %u threads", next(&seed) % 8 + 2);
	f->score = next(&seed) % 1000 / 100.0;
	add_side(f, &seed, "first", 1, DH_ACCESS_WRITE, timeline ? "write 8" : NULL);
	add_side(f, &seed, "second", 2, DH_ACCESS_READ, timeline ? "read 8" : NULL);
	if (dh_finding_add_evidence(f, &e) < 0)
		abort();
	dh_finding_seal(f);
	return f;
}

int fixture_set(const char *name, struct dh_findings *ret)
{
	static struct dh_finding *(*const few[])(void) = {fixture_race, fixture_deadlock,
		fixture_signal, fixture_process, fixture_hostile, fixture_bare};
	size_t n = strcmp(name, "one") == 0 ? 1 : DH_ARRAY_SIZE(few);
	char *end;
	unsigned long many = strtoul(name, &end, 10);

	if (strcmp(name, "one") != 0 && strcmp(name, "few") != 0 && (*end || end == name))
		return -EINVAL;
	if (*end == '\0')
		n = DH_MIN(many, DH_ARRAY_SIZE(few) - 2);
	for (size_t i = 0; i < n; i++)
		dh_findings_add(ret, few[i]());
	for (uint64_t i = n; *end == '\0' && i < many; i++)
		dh_findings_add(ret, make(i * 7919 + 1));
	dh_findings_sort(ret);
	return 0;
}
