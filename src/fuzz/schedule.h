/* A schedule that can be run again, as text: everything that decides a run (wire/sched.h), the
 * program and its arguments.  This is what dh_finding.schedule holds for findings of fuzz, so it is
 * read back from a store and not trusted. */
#pragma once
#include "base/arena.h"
#include "fuzz/failure.h"
#include "wire/sched.h"

struct dh_order;

struct dh_fuzz_schedule {
	struct dh_arena arena; /* holds all of it */
	const char *program;   /* path */
	char **argv;           /* ended by NULL */
	size_t n_argv;
	uint64_t program_hash; /* of the file's content; 0: not known */
	uint64_t input_hash, input_size;
	bool preload; /* the runtime was put in front of a program that was not built for it */
	const char **modules;
	size_t n_modules;
	struct dh_sched_ask ask;
	struct dh_sched_target *targets;
	struct dh_sched_step *steps;
	uint64_t failure;        /* key of what happens; 0: nothing */
	struct dh_baseline base; /* what a good run is */
};

void dh_fuzz_schedule_release(struct dh_fuzz_schedule *s);
/* Text of its own, to be freed. */
char *dh_fuzz_schedule_write(const struct dh_fuzz_schedule *s);
/* 0, or -EBADMSG with words in err; *ret is to be released either way. */
int dh_fuzz_schedule_read(const char *text, struct dh_fuzz_schedule *ret, struct dh_error *err);
/* Only copies of what stands in the arguments. */
void dh_fuzz_schedule_take(struct dh_fuzz_schedule *s, const struct dh_order *order);
