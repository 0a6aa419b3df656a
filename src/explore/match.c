/* Which recorded call a live one stands for. */
#include <string.h>
#include <sys/syscall.h>

#include "base/buf.h"
#include "explore/enforcer.h"

bool dh_enforcer_is_anchor(const struct dh_enforcer *e, uint32_t call)
{
	for (uint32_t i = 0; i < e->opt.branch->n_anchors; i++)
		if (e->opt.branch->anchors[i] == call)
			return true;
	return false;
}

static bool same_call(const struct dh_enforcer *e, uint32_t call, const struct dh_gate_call *c)
{
	const struct dh_hist_call *was = &e->opt.history->calls[call];

	if (was->ev->nr != c->call.nr)
		return false;
	return !c->about || was->key == dh_hist_key(c->about);
}

/* Names with a random part: the same directory, and as long. */
static bool similar_path(const char *a, const char *b)
{
	const char *x = strrchr(a, '/'), *y = strrchr(b, '/');

	if (!x || !y)
		return strcmp(a, b) == 0;
	return x - a == y - b && strncmp(a, b, (size_t)(x - a)) == 0 && strlen(x) == strlen(y);
}

/* The same call on another name: names with a random part differ in every execution.  That is no
 * divergence by itself, except where the names are what the race is about. */
static bool similar_call(const struct dh_enforcer *e, uint32_t call, const struct dh_gate_call *c)
{
	const struct dh_ev_call *was = e->opt.history->calls[call].ev;

	if (was->nr != c->call.nr)
		return false;
	for (uint32_t i = 0; dh_enforcer_is_anchor(e, call) && c->about && i < c->about->n_refs;
		i++) {
		const struct dh_ev_ref *r = &c->about->refs[i];
		const struct dh_ev_ref *old = dh_ev_call_ref(was, r->role);

		if (!old || !similar_path(old->path, r->path))
			return false;
	}
	return true;
}

/* Calls that end in no other way than by a signal: the recording has no event for them. */
static bool only_waits(int64_t nr)
{
	return nr == SYS_rt_sigsuspend || nr == SYS_pause || nr == SYS_rt_sigreturn;
}

/* Calls of the recording that the live task leaves out: over, as far as others wait for them. */
static bool skip_to_match(struct dh_enforcer *e, struct live *t, const struct dh_gate_call *c)
{
	const struct dh_porder *o = &e->opt.history->order;

	for (uint32_t ahead = 1; ahead <= RESYNC_MAX; ahead++) {
		uint32_t call = dh_porder_find(o, t->task, t->index + ahead);

		if (call == DH_NO_CALL ||
			dh_enforcer_is_anchor(e, dh_porder_find(o, t->task, t->index + ahead - 1)))
			return false;
		if (!same_call(e, call, c))
			continue;
		for (; ahead; ahead--)
			e->over[dh_porder_find(o, t->task, t->index++)] = true;
		t->call = call;
		return true;
	}
	return false;
}

static void describe(struct dh_buf *out, const struct dh_gate_call *c)
{
	dh_sysmodel_format(&c->call, false, out);
}

bool dh_enforcer_match(struct dh_enforcer *e, struct live *t, const struct dh_gate_call *c)
{
	const struct dh_history *h = e->opt.history;
	DH_BUF struct dh_buf live = DH_BUF_INIT, was = DH_BUF_INIT;
	uint32_t call;

	t->matched = true;
	t->call = DH_NO_CALL;
	if (t->task == DH_NO_TASK) {
		if (e->relaxed)
			return true;
		dh_enforcer_diverge(
			e, DH_NO_CALL, "process %d did not exist in the recording", c->pid);
		return false;
	}
	call = dh_porder_find(&h->order, t->task, t->index);
	if (call != DH_NO_CALL && same_call(e, call, c)) {
		t->call = call;
		t->extra = 0;
		return true;
	}
	if (call != DH_NO_CALL && skip_to_match(e, t, c)) {
		t->extra = 0;
		return true;
	}
	if (only_waits(c->call.nr) || e->relaxed)
		return true;
	if (call != DH_NO_CALL && similar_call(e, call, c)) {
		t->call = call;
		t->extra = 0;
		return true;
	}
	if (call != DH_NO_CALL && t->extra++ < RESYNC_MAX && !dh_enforcer_is_anchor(e, call))
		return true;
	describe(&live, c);
	if (call != DH_NO_CALL)
		dh_history_describe(h, call, &was);
	else
		dh_buf_adds(&was, "the end of it");
	dh_enforcer_diverge(e, call, "process %d did %s instead of %s", c->pid, dh_buf_str(&live),
		dh_buf_str(&was));
	return false;
}
