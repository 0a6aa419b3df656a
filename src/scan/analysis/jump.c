/* setjmp() and longjmp(): a path that jumps goes on behind the setjmp() of its buffer, with the
 * locks that it holds then.  It leaves functions on the way there like an exception; which buffer
 * it is for stands in its state. */
#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/call.h"
#include "scan/analysis/run.h"

/* Where a state that jumps has its buffer. */
static uint32_t buffer_cell(struct dh_scan_run *run)
{
	return dh_sym_get(&run->syms, DH_SYM_NAMED, DH_NAMED_JUMP, 0, 0);
}

void dh_scan_set_jump(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_item *it, uint32_t stmt, uint32_t buffer)
{
	struct dh_scan_jump *j = NULL;

	for (uint32_t i = 0; i < f->n_jumps; i++)
		if (f->jumps[i].node == it->node && f->jumps[i].stmt == stmt)
			j = &f->jumps[i];
	if (!j) {
		DH_GROW(f->jumps, f->n_jumps, f->cap_jumps);
		j = &f->jumps[f->n_jumps++];
		*j = (struct dh_scan_jump){.buffer = buffer, .node = it->node, .stmt = stmt};
	}
	if (j->buffer != buffer)
		j->buffer = 0;
	dh_scan_state_release(&j->begun);
	dh_scan_state_copy(&j->begun, &it->state);
	dh_scan_set_result(run, f, &j->begun, stmt, 0);
}

void dh_scan_begin_jump(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t buffer)
{
	if (buffer)
		dh_scan_state_set(s, buffer_cell(run), buffer);
	else
		dh_scan_state_forget(s, buffer_cell(run));
}

/* Whether a jump by one buffer may come back where the other one was set. */
static bool may_be_same(struct dh_scan_run *run, uint32_t a, uint32_t b)
{
	return !a || !b || !dh_sym_is_placed(&run->syms, a) || !dh_sym_is_placed(&run->syms, b) ||
	       dh_scan_object(run->p, a) == dh_scan_object(run->p, b);
}

/* What setjmp() returns then: never 0. */
static void set_value(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t value)
{
	static const struct dh_scan_range other = {INT64_MIN, INT64_MAX, true};
	uint32_t cell = dh_scan_make(run, f, s, stmt, DH_SYM_RESULT);
	int64_t v;

	dh_scan_state_forget(s, cell);
	if (value && dh_scan_is_const(run->p, value, &v))
		dh_scan_state_set(s, cell, dh_scan_const(run->p, v ? v : 1));
	else
		dh_scan_state_note(s, cell, other);
}

static void come_back(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_jump *j,
	struct dh_scan_state *s, uint32_t value)
{
	j->taken = true;
	set_value(run, f, s, j->stmt, value);
	dh_scan_state_forget(s, buffer_cell(run));
	dh_scan_arrive(run, f, &j->slots, j->node, j->stmt + 1, s);
}

void dh_scan_jump(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s, uint32_t value)
{
	uint32_t buffer = dh_scan_state_get(s, buffer_cell(run));

	for (uint32_t i = f->n_jumps; i-- > 0;)
		if (may_be_same(run, f->jumps[i].buffer, buffer)) {
			come_back(run, f, &f->jumps[i], s, value);
			return;
		}
	dh_scan_add_exit(run, f, s, value, DH_WAY_JUMP);
}

bool dh_scan_resume_jump(struct dh_scan_run *run, struct dh_scan_frame *f)
{
	for (uint32_t i = 0; i < f->n_jumps; i++) {
		struct dh_scan_state s;

		if (f->jumps[i].taken)
			continue;
		dh_scan_state_copy(&s, &f->jumps[i].begun);
		come_back(run, f, &f->jumps[i], &s, 0);
		return true;
	}
	return false;
}

void dh_scan_jumps_release(struct dh_scan_frame *f)
{
	for (uint32_t i = 0; i < f->n_jumps; i++) {
		struct dh_scan_jump *j = &f->jumps[i];

		dh_scan_state_release(&j->begun);
		for (uint32_t k = 0; k < j->slots.n; k++)
			dh_scan_state_release(&j->slots.slots[k].state);
		free(j->slots.slots);
	}
	free(f->jumps);
}
