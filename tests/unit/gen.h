/* Random but repeatable inputs for tests of properties, and for benchmarks: one seed, one value. */
#pragma once
#include <stdio.h>

#include "model/finding.h"

static inline uint64_t gen_next(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline uint64_t gen_below(uint64_t *seed, uint64_t n)
{
	return gen_next(seed) % n;
}

/* A frame of one of a few hundred functions. */
static inline struct dh_frame gen_frame(struct dh_finding *f, uint64_t *seed)
{
	char function[32], file[64];
	unsigned fn = (unsigned)gen_below(seed, 300);

	snprintf(function, sizeof(function), "function_%u", fn);
	snprintf(file, sizeof(file), "src/part%u/file%u.c", fn % 7, fn % 40);
	return (struct dh_frame){
		.function = dh_finding_strdup(f, function),
		.file = dh_finding_strdup(f, file),
		.line = (uint32_t)gen_below(seed, 2000) + 1,
		.column = (uint32_t)gen_below(seed, 60) + 1,
		.module = "/usr/bin/prog",
		.offset = gen_below(seed, 1 << 20),
	};
}

static inline void gen_site(struct dh_finding *f, uint64_t *seed, const char *role)
{
	static const char *const locks[] = {"m", "queue.lock"};
	struct dh_frame frames[5];
	struct dh_site site = {
		.role = role,
		.at = gen_frame(f, seed),
		.access = {.kind = (enum dh_access_kind)(1 + gen_below(seed, 3)), .size = 4},
		.who = role[0] == 'f' ? "thread 1 (main)" : "thread 2 (worker)",
		.n_locks = gen_below(seed, 3),
		.stack = {frames, 1 + gen_below(seed, 5)},
	};

	site.locks = (const char **)locks;
	for (size_t i = 0; i < site.stack.n; i++)
		frames[i] = i ? gen_frame(f, seed) : site.at;
	dh_finding_add_site(f, &site);
}

/* One of n_bugs bugs: the same number gives the same fingerprint, whatever the seed says about
 * lines, evidence and scores. */
static inline struct dh_finding *gen_finding(uint64_t bug, uint64_t *seed)
{
	static const char *const by[] = {"scan", "fuzz", "sample", "explore"};
	struct dh_finding *f = dh_finding_new((enum dh_kind)(bug % DH_KIND_COUNT));
	enum dh_level level = (enum dh_level)gen_below(seed, DH_LEVEL_COUNT);
	uint64_t place = bug, n = 1 + (gen_below(seed, 4) == 0);
	char variable[32];

	snprintf(variable, sizeof(variable), "g.counter_%llu", (unsigned long long)bug);
	f->variable = dh_finding_strdup(f, variable);
	gen_site(f, &place, "first");
	gen_site(f, &place, "second");
	for (size_t i = 0; i < 2; i++) {
		f->sites[i].at.line += (uint32_t)gen_below(seed, 5);
		f->sites[i].n_locks = 0;
	}
	dh_finding_set_title(f, "data race on %s", variable);
	dh_finding_add_reason(f, "written in %u threads", (unsigned)gen_below(seed, 4) + 2);
	f->score = (double)gen_below(seed, 1000) / 10;
	for (uint64_t i = 0; i < n; i++) {
		dh_finding_add_evidence(
			f, &(struct dh_evidence){
				   .level = level,
				   .by = by[gen_below(seed, 4)],
				   .when = 1700000000 + (int64_t)gen_below(seed, 1000),
				   .tries = 100,
				   .hits = gen_below(seed, 4),
				   .reproduce = dh_level_needs_command(level)
							? "deadheat fuzz --replay x"
							: NULL,
			   });
		level = (enum dh_level)gen_below(seed, DH_LEVEL_COUNT);
	}
	dh_finding_seal(f);
	return f;
}
