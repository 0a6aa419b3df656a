/* Random executions: a few tasks, calls with edges to earlier calls, conflicts with some of them.
 */
#pragma once
#include "../unit.h"

#include "explore/porder.h"

#include "../gen.h"

#define CALLS_MAX 64

struct random_order {
	struct dh_porder o;
	bool before[CALLS_MAX][CALLS_MAX]; /* by walking the edges */
	uint32_t n;
};

static inline void random_edges(
	struct random_order *r, uint64_t *seed, uint32_t task, uint32_t *after, size_t *n)
{
	uint32_t last = DH_NO_CALL;

	*n = r->n ? gen_below(seed, 3) : 0;
	for (size_t i = 0; i < *n; i++)
		after[i] = (uint32_t)gen_below(seed, r->n);
	for (uint32_t c = 0; c < r->n; c++) {
		if (r->o.calls[c].task == task)
			last = c;
	}
	for (uint32_t c = 0; c < r->n; c++) {
		bool reached = last != DH_NO_CALL && (c == last || r->before[c][last]);

		for (size_t i = 0; i < *n; i++)
			reached |= c == after[i] || r->before[c][after[i]];
		r->before[c][r->n] = reached;
	}
}

static inline void random_order_init(struct random_order *r, uint64_t *seed)
{
	uint32_t n_tasks = 1 + (uint32_t)gen_below(seed, 5), after[3];
	uint32_t n = 2 + (uint32_t)gen_below(seed, CALLS_MAX - 2);
	uint64_t sparse = 1 + gen_below(seed, 8);
	size_t n_after;

	memset(r, 0, sizeof(*r));
	dh_porder_init(&r->o);
	for (; r->n < n; r->n++) {
		uint32_t task = (uint32_t)gen_below(seed, n_tasks);

		random_edges(r, seed, task, after, &n_after);
		if (gen_below(seed, sparse)) { /* most executions have few edges */
			for (uint32_t c = 0; c < r->n; c++)
				r->before[c][r->n] = false;
			n_after = 0;
			for (uint32_t c = 0; c < r->n; c++) {
				if (r->o.calls[c].task != task)
					continue;
				r->before[c][r->n] = true;
				for (uint32_t d = 0; d < c; d++)
					r->before[d][r->n] |= r->before[d][c];
			}
		}
		assert_int_equal(dh_porder_add(&r->o, task, after, n_after), r->n);
		for (uint64_t d = gen_below(seed, 3); r->n && d; d--)
			dh_porder_add_dep(&r->o, (uint32_t)gen_below(seed, r->n));
	}
}
