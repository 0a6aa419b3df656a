/* The readable interleaving: from the points that a run passed to the lines that a person needs to
 * see.  Pure: takes arrays. */
#pragma once
#include "base/forward.h"
#include "wire/sched.h"

enum dh_mark {
	DH_MARK_DOES,   /* the thread does what the point says */
	DH_MARK_HELD,   /* it was about to, but another goes on: a preemption */
	DH_MARK_BLOCKS, /* it cannot go on before another does something */
	DH_MARK_GAP,    /* lines of one thread that are not told */
};

/* One line. */
struct dh_moment {
	enum dh_mark mark;
	size_t point;   /* index of the entry of the log */
	uint32_t to;    /* HELD: who goes on */
	uint32_t times; /* DOES: so often in a row; GAP: so many lines */
};

struct dh_moments {
	struct dh_moment *items;
	size_t n, cap;
	size_t skipped; /* lines that were left out to keep it short */
};

void dh_moments_release(struct dh_moments *m);

/* The log of a run with DH_ASK_LOG_ALL, in the order in which things happened: what a thread was
 * held before is told when it goes on.  same(arg, i, j) says whether two entries would read alike.
 * Of what one thread does in a row the middle goes first.  At most max lines: then goes what is far
 * from any preemption and from the end. */
void dh_interleave(const struct dh_sched_step *log, size_t n,
	bool (*same)(void *arg, size_t i, size_t j), void *arg, size_t max, struct dh_moments *ret);
