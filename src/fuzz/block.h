/* The host's side of the control block (wire/sched.h): makes it, and reads out of it what a run has
 * left.  The program under test can write anything into it, so all that comes out is copied once
 * and bounded on the way. */
#pragma once
#include "base/forward.h"
#include "wire/sched.h"

struct dh_block {
	int fd; /* memfd; -1: none */
	struct dh_sched_ctl *ctl;
	size_t size;
};

#define DH_BLOCK_INIT ((struct dh_block){.fd = -1})

/* How much room there is for what a run leaves. */
#define DH_BLOCK_STEPS      (1u << 20)
#define DH_BLOCK_STEPS_IN   (1u << 18)
#define DH_BLOCK_CANDIDATES 4096u

int dh_block_make(struct dh_block *b, struct dh_error *err);
void dh_block_release(struct dh_block *b);

/* Puts in what a run is to do.  0, or -E2BIG when it does not fit. */
int dh_block_ask(struct dh_block *b, const struct dh_sched_ask *ask,
	const struct dh_sched_target *targets, size_t n_targets, const struct dh_sched_step *steps,
	size_t n_steps);
/* Makes the path of a module known; its index, or -ENOSPC.  "" is the program, always 0. */
int dh_block_module(struct dh_block *b, const char *path);

/* Copies of what a run left; arrays are the caller's to free, and NULL when empty. */
void dh_block_result(const struct dh_block *b, struct dh_sched_result *ret);
void dh_block_outcome(const struct dh_block *b, struct dh_sched_outcome *ret);
struct dh_sched_step *dh_block_steps(const struct dh_block *b, size_t *ret_n);
struct dh_sched_candidate *dh_block_candidates(const struct dh_block *b, size_t *ret_n);
struct dh_sched_thread *dh_block_threads(const struct dh_block *b, size_t *ret_n);
struct dh_sched_module *dh_block_modules(const struct dh_block *b, size_t *ret_n);
/* Up to DH_SCHED_HITS_MAX; the count. */
size_t dh_block_hits(const struct dh_block *b, struct dh_sched_hit *ret);
