/* Signals come where they came in the recording: the target waits there for the sender, and the
 * sender until the target is there.  Behind the cut they come as they like. */
#include "explore/enforcer.h"

static const struct live *find_live(const struct dh_enforcer *e, uint32_t task)
{
	dh_map_foreach (slot, &e->tasks) {
		const struct live *t = (const struct live *)(uintptr_t)slot->value;

		if (t->task == task)
			return t;
	}
	return NULL;
}

bool dh_strike_awaited(const struct dh_enforcer *e, const struct live *t)
{
	const struct dh_porder *o = &e->opt.history->order;

	for (size_t i = 0; i < o->n_strikes && !e->stray; i++) {
		const struct dh_porder_strike *s = &o->strikes[i];

		if (s->task == t->task && s->index == t->index && !s->inside && !t->matched &&
			!e->over[s->sender] && dh_branch_contains(e->opt.branch, s->sender))
			return true;
	}
	return false;
}

/* So long a target that computes is waited for. */
#define COMPUTES 0.25

/* A racing signal strikes as late as it can before the call, or before the one behind it: when the
 * target has looked at what decides whether it makes that call. */
static bool rests(const struct dh_enforcer *e, const struct live *t, uint32_t sender)
{
	return t->held || !dh_enforcer_is_anchor(e, sender) || e->quiet > COMPUTES;
}

/* A target that is gone, or has never been there, is not waited for. */
static bool is_there(const struct dh_enforcer *e, const struct dh_porder_strike *s)
{
	const struct dh_branch *b = e->opt.branch;
	const struct live *t = find_live(e, s->task);

	if (!t || t->departed || e->gone[s->task])
		return true;
	if (!s->inside || s->index >= b->cut[s->task])
		return t->index >= DH_MIN(s->reached, b->cut[s->task]) && rests(e, t, s->sender);
	/* Let into the call: whatever waits there notices. */
	return t->index > s->index ||
	       (t->index == s->index && t->call != DH_NO_CALL && !t->matched);
}

bool dh_strike_too_early(const struct dh_enforcer *e, uint32_t call)
{
	const struct dh_porder *o = &e->opt.history->order;

	for (size_t i = 0; i < o->n_strikes && !e->stray; i++)
		if (o->strikes[i].sender == call && !is_there(e, &o->strikes[i]))
			return true;
	return false;
}
