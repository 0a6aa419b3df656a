/* Work in pieces that do not need each other, done by several processes at a time.  Each process is
 * a copy of this one (fork): a piece may change whatever it likes, and only what it writes to its
 * buffer comes back.  So the outcome does not depend on how many there are.
 *
 * For a caller without other threads. */
#pragma once
#include "base/forward.h"

/* Does one piece; what is to be kept goes to out. */
typedef void dh_parallel_work(void *arg, size_t piece, struct dh_buf *out);
/* Takes what a piece has written. */
typedef void dh_parallel_take(void *arg, size_t piece, const struct dh_buf *out);

/* Does the pieces from 0 to n - 1, and takes them in that order.  A single piece, and what a
 * process that could not be had or that died leaves undone, is done here. */
void dh_parallel(
	unsigned jobs, size_t n, dh_parallel_work *work, dh_parallel_take *take, void *arg);
