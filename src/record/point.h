/* Finding a place where an asynchronous event can strike and be found again by a replay. */
#pragma once
#include "record/recorder.h"

struct point {
	enum dh_ev_where where; /* DH_AT_POINT, or DH_AT_STOP just before a natural stop */
	uint64_t hash;          /* of the registers there */
	struct dh_ev_point ev;  /* borrows from the buffers */
	struct dh_buf xstate, words, pages, sums;
};

#define POINT_INIT ((struct point){0})

/* Steps the task, which is stopped in the program's code, to a good place and describes it.
 * 0, -ESRCH, or -ENOTSUP when no place was found. */
int dh_point_find(struct recorder *r, struct task *t, struct point *ret);
void dh_point_release(struct point *p);
