#include "explore/enforcer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"

/* Calls that a call before the cut may have to wait for. */
#define WAITS_MAX 256
/* So long nothing moves, then nothing will. */
#define STUCK_AFTER 0.25
#define DEAD_AFTER  2.0
/* So often a call that waits for ever is let go, then all are. */
#define GIVE_UP_MAX   16
#define PROCESSES_MAX 8192

static uint64_t child_key(uint32_t parent, uint32_t nth)
{
	return (uint64_t)parent << 32 | nth;
}

struct dh_enforcer *dh_enforcer_new(const struct dh_enforcer_options *opt)
{
	struct dh_enforcer *e = dh_new(struct dh_enforcer);
	const struct dh_history *h = opt->history;

	e->opt = *opt;
	e->live = !opt->branch;
	e->diverged_at = DH_NO_CALL;
	e->began = dh_clock_seconds();
	if (!opt->branch)
		return e;
	e->over = dh_zalloc(h->n_calls + 1);
	e->gone = dh_zalloc(h->n_tasks + 1);
	e->runs = dh_runs_find(h, opt->branch);
	e->own_clocks = dh_feed_find_clocks(h);
	e->keeps = opt->branch->keep;
	e->live = opt->branch->n_anchors == 0;
	for (uint32_t i = 0; i < h->n_tasks; i++)
		dh_map_set(&e->children, child_key(h->tasks[i].parent, h->tasks[i].nth), i + 1);
	return e;
}

void dh_enforcer_free(struct dh_enforcer *e)
{
	if (!e)
		return;
	dh_map_foreach (slot, &e->tasks)
		free((void *)(uintptr_t)slot->value);
	dh_map_release(&e->tasks);
	dh_map_release(&e->children);
	dh_map_release(&e->by_pid);
	free(e->processes);
	free(e->over);
	free(e->runs);
	free(e->gone);
	free(e->own_clocks);
	free(e);
}

void dh_enforcer_diverge(struct dh_enforcer *e, uint32_t call, const char *fmt, ...)
{
	va_list ap;

	if (e->diverged || e->live)
		return;
	e->diverged = true;
	e->diverged_at = call;
	va_start(ap, fmt);
	vsnprintf(e->why, sizeof(e->why), fmt, ap);
	va_end(ap);
}

static void went_live(const struct dh_enforcer *e)
{
	if (e->opt.went_live)
		e->opt.went_live(e->opt.cookie);
}

/* Processes */

static struct dh_outcome_process *process_of(struct dh_enforcer *e, pid_t pid)
{
	uint64_t i;

	return dh_map_get(&e->by_pid, (uint64_t)pid, &i) ? &e->processes[i - 1] : NULL;
}

static void add_process(struct dh_enforcer *e, pid_t pid, pid_t parent)
{
	struct dh_outcome_process *p, *from = process_of(e, parent);
	char command[DH_OUTCOME_COMMAND] = "";

	if (e->n_processes >= PROCESSES_MAX)
		return;
	if (from)
		memcpy(command, from->command, sizeof(command));
	DH_GROW(e->processes, e->n_processes, e->cap_processes);
	p = &e->processes[e->n_processes++];
	*p = (struct dh_outcome_process){
		.pid = (uint32_t)pid, .parent = (uint32_t)parent, .status = -1};
	memcpy(p->command, command, sizeof(command));
	dh_map_set(&e->by_pid, (uint64_t)pid, e->n_processes);
}

static void executed(struct dh_enforcer *e, const struct dh_gate_call *c)
{
	struct dh_outcome_process *p = process_of(e, c->pid);

	if (p && c->about)
		snprintf(p->command, sizeof(p->command), "%s", c->about->text);
}

static void on_created(void *cookie, const struct dh_gate_created *c)
{
	struct dh_enforcer *e = cookie;
	struct live *t = dh_new(struct live), *parent = dh_map_getp(&e->tasks, c->parent);
	uint32_t from = DH_NO_TASK, nth = 0;
	uint64_t found;

	t->call = DH_NO_CALL;
	t->task = DH_NO_TASK;
	if (parent) {
		from = parent->task;
		nth = parent->clones++;
		parent->cloning = false;
		if (e->cloning == parent)
			e->cloning = NULL;
	}
	if ((!parent || from != DH_NO_TASK) &&
		dh_map_get(&e->children, child_key(from, nth), &found))
		t->task = (uint32_t)found - 1;
	if (t->task != DH_NO_TASK)
		t->own_clock = e->own_clocks[e->opt.history->tasks[t->task].process];
	else
		t->own_clock = parent && parent->own_clock;
	dh_map_setp(&e->tasks, c->child, t);
	if (!parent) {
		e->root = c->pid;
		if (e->opt.begun)
			e->opt.begun(e->opt.cookie);
		if (e->live)
			went_live(e);
	}
	if (c->tid == c->pid)
		add_process(e, c->pid, parent ? (pid_t)parent->process : 0);
	t->process = (uint32_t)c->pid;
}

/* Holding */

static bool all_over(const struct dh_enforcer *e, uint32_t call)
{
	uint32_t waits[WAITS_MAX];
	size_t n = dh_branch_waits_for(e->opt.branch, call, waits, WAITS_MAX);

	for (size_t i = 0; i < DH_MIN(n, (size_t)WAITS_MAX); i++)
		if (!e->over[waits[i]])
			return false;
	return true;
}

static bool may_go(const struct dh_enforcer *e, const struct live *t)
{
	const struct dh_branch *b = e->opt.branch;

	if (t->call == DH_NO_CALL)
		return true;
	if (dh_strike_too_early(e, t->call))
		return false;
	for (uint32_t i = 0; i < b->n_anchors; i++)
		if (b->anchors[i] == t->call)
			return e->anchors_over >= i && all_over(e, t->call);
	return e->relaxed || (dh_branch_contains(b, t->call) && all_over(e, t->call));
}

static bool is_clone(int64_t nr)
{
	return nr == SYS_clone || nr == SYS_clone3 || nr == SYS_fork || nr == SYS_vfork;
}

/* A new process gets the number that it had. */
static bool may_clone(struct dh_enforcer *e, struct live *t)
{
	int64_t pid = e->opt.history->calls[t->call].ev->result;

	if (e->cloning)
		return false;
	e->cloning = t;
	t->cloning = true;
	if (pid > 1 && e->opt.next_pid)
		e->opt.next_pid(e->opt.cookie, (pid_t)pid);
	return true;
}

/* Behind the cut, where what a task does next is no business of the recording: the racing calls may
 * have changed it already. */
static bool is_behind(const struct dh_enforcer *e, const struct live *t)
{
	uint32_t call;

	if (t->task == DH_NO_TASK || t->index < e->opt.branch->cut[t->task])
		return false;
	call = dh_porder_find(&e->opt.history->order, t->task, t->index);
	return call == DH_NO_CALL || !dh_enforcer_is_anchor(e, call);
}

static void depart(struct dh_enforcer *e, struct live *t)
{
	t->departed = true;
	t->call = DH_NO_CALL;
	e->gone[t->task] = true;
}

/* Behind the anchors, in the recorded order: what the call followed is over, or will not come. */
static bool has_its_turn(const struct dh_enforcer *e, uint32_t call)
{
	const struct dh_porder *o = &e->opt.history->order;
	size_t n;
	const uint32_t *deps = dh_porder_deps(o, call, &n);

	for (size_t i = 0; i < n; i++)
		if (!e->over[deps[i]] && !e->gone[o->calls[deps[i]].task])
			return false;
	return true;
}

static enum dh_gate_verdict keep_entry(
	struct dh_enforcer *e, struct live *t, const struct dh_gate_call *c)
{
	if (t->task == DH_NO_TASK || t->departed)
		return DH_GATE_GO;
	if (!t->matched && !dh_enforcer_match(e, t, c))
		depart(e, t);
	if (t->call != DH_NO_CALL && !has_its_turn(e, t->call))
		return DH_GATE_HOLD;
	if (is_clone(c->call.nr) && t->call != DH_NO_CALL && !may_clone(e, t))
		return DH_GATE_HOLD;
	t->matched = false;
	return DH_GATE_GO;
}

static bool is_open(void *cookie)
{
	const struct dh_enforcer *e = cookie;

	return e->live && !e->keeps;
}

static enum dh_gate_verdict decide(
	struct dh_enforcer *e, struct live *t, const struct dh_gate_call *c)
{
	if (e->diverged || (e->live && !e->keeps))
		return DH_GATE_GO;
	if (e->live)
		return keep_entry(e, t, c);
	if ((is_behind(e, t) && !e->relaxed) || dh_strike_awaited(e, t))
		return DH_GATE_HOLD;
	if (!t->matched && !dh_enforcer_match(e, t, c))
		return DH_GATE_GO;
	if (!may_go(e, t))
		return DH_GATE_HOLD;
	if (is_clone(c->call.nr) && t->call != DH_NO_CALL && !may_clone(e, t))
		return DH_GATE_HOLD;
	t->matched = false; /* what is asked next is another call */
	return DH_GATE_GO;
}

static enum dh_gate_verdict on_entry(void *cookie, const struct dh_gate_call *c)
{
	struct dh_enforcer *e = cookie;
	struct live *t = dh_map_getp(&e->tasks, c->task);
	enum dh_gate_verdict v;

	if (!t)
		return DH_GATE_GO;
	v = decide(e, t, c);
	if (t->held != (v == DH_GATE_HOLD))
		e->quiet = 0;
	t->held = v == DH_GATE_HOLD;
	return v;
}

static int on_refuse(void *cookie, const struct dh_gate_call *c)
{
	struct dh_enforcer *e = cookie;

	return e->opt.refuse ? e->opt.refuse(e->opt.cookie, c) : 0;
}

static void go_live(struct dh_enforcer *e)
{
	e->live = true;
	e->relaxed = false; /* from here on a task departs, or it does not */
	went_live(e);
}

static void finish_call(struct dh_enforcer *e, struct live *t)
{
	const struct dh_branch *b = e->opt.branch;

	if (t->cloning) {
		t->cloning = false;
		if (e->cloning == t)
			e->cloning = NULL;
	}
	if (!b || t->call == DH_NO_CALL)
		return;
	e->over[t->call] = true;
	t->index = e->opt.history->order.calls[t->call].index + 1;
	for (uint32_t i = 0; i < b->n_anchors; i++)
		if (b->anchors[i] == t->call && i == e->anchors_over)
			e->anchors_over++;
	t->call = DH_NO_CALL;
	if (e->anchors_over == b->n_anchors && !e->live)
		go_live(e);
}

/* Whether the last racing call, for which all others wait, is one of the task's. */
static bool waits_only_for(const struct dh_enforcer *e, const struct live *t)
{
	const struct dh_branch *b = e->opt.branch;

	return b && !e->live && t->task != DH_NO_TASK && e->anchors_over + 1 == b->n_anchors &&
	       b->order->calls[b->anchors[e->anchors_over]].task == t->task;
}

/* The task comes to its call behind a signal.  When that was the last one to wait for the others,
 * the order is what it should be, whatever the handler does. */
static void on_struck(void *cookie, uint32_t task)
{
	struct dh_enforcer *e = cookie;
	struct live *t = dh_map_getp(&e->tasks, task);
	const struct dh_branch *b = e->opt.branch;

	if (!t || !b)
		return;
	t->matched = t->held = false;
	t->call = DH_NO_CALL;
	if (waits_only_for(e, t) &&
		dh_porder_find(b->order, t->task, t->index) == b->anchors[e->anchors_over])
		go_live(e);
}

/* A call that was not asked about, because nobody is held for it. */
static void on_passed(void *cookie, const struct dh_gate_call *c)
{
	struct dh_enforcer *e = cookie;
	struct live *t = dh_map_getp(&e->tasks, c->task);

	if (!t || e->diverged || t->departed || (e->live && t->task == DH_NO_TASK))
		return;
	if (!dh_enforcer_match(e, t, c)) {
		if (e->live)
			depart(e, t);
	} else if (t->call != DH_NO_CALL && !e->runs[t->call]) {
		dh_enforcer_diverge(
			e, t->call, "process %d came to its call before it was expected", c->pid);
	}
	t->matched = false;
	finish_call(e, t);
}

static void on_exit_call(void *cookie, const struct dh_gate_call *c)
{
	struct dh_enforcer *e = cookie;
	struct live *t = dh_map_getp(&e->tasks, c->task);

	e->quiet = 0;
	if ((c->call.nr == SYS_execve || c->call.nr == SYS_execveat) && c->call.result == 0)
		executed(e, c);
	if (t)
		finish_call(e, t);
}

static void on_ended(void *cookie, const struct dh_gate_ended *x)
{
	struct dh_enforcer *e = cookie;
	struct dh_outcome_process *p = process_of(e, x->pid);
	struct live *t = dh_map_getp(&e->tasks, x->task);

	if (p && x->process)
		p->status = x->status;
	if (x->process && x->pid == e->root)
		e->root_ended = dh_clock_seconds();
	if (!t)
		return;
	finish_call(e, t);
	/* A death that the recording has as its own call. */
	if (e->opt.branch && (!e->live || e->keeps) && t->task != DH_NO_TASK) {
		t->call = dh_porder_find(&e->opt.history->order, t->task, t->index);
		if (t->call != DH_NO_CALL && e->opt.history->calls[t->call].ev->nr == -1)
			finish_call(e, t);
	}
	if (e->gone && t->task != DH_NO_TASK)
		e->gone[t->task] = true;
	if (WIFSIGNALED(x->status) && waits_only_for(e, t))
		go_live(e); /* the racing signal came before the call, which will not come */
	dh_map_del(&e->tasks, x->task);
	free(t);
}

/* Time */

static int too_long(struct dh_enforcer *e, double t, const char *why, struct dh_error *err)
{
	dh_enforcer_diverge(e, DH_NO_CALL, "not reached after %.1f s", t - e->began);
	if (e->live) {
		e->hung = true;
		snprintf(e->why, sizeof(e->why), "%s after %.1f s", why, t - e->began);
	}
	return dh_error_set(err, ETIMEDOUT, "%s", e->why);
}

/* Some wait in the kernel for what others would do behind the cut: a reader for a writer.  So these
 * may go on, all but the anchors; when that does not help, nothing will (RacePro, section 6.2). */
static bool is_stuck(struct dh_enforcer *e, const struct dh_gate_state *s)
{
	if (!e->stray && e->opt.history->order.n_strikes) {
		e->stray = true;
		return false;
	}
	if (e->relaxed || s->n_waiting == 0)
		return true;
	e->relaxed = true;
	return false;
}

/* Of all that are held the one that came first in the recording, without those that it waits for.
 */
static void give_up(struct dh_enforcer *e)
{
	const struct dh_porder *o = &e->opt.history->order;
	uint32_t first = DH_NO_CALL;
	const uint32_t *deps;
	size_t n = 0;

	dh_map_foreach (slot, &e->tasks) {
		const struct live *t = (const struct live *)(uintptr_t)slot->value;

		if (t->matched && t->call < first)
			first = t->call;
	}
	deps = first == DH_NO_CALL ? NULL : dh_porder_deps(o, first, &n);
	for (size_t i = 0; i < n; i++)
		e->over[deps[i]] = true;
	if (!n || ++e->given_up > GIVE_UP_MAX)
		e->keeps = false;
}

static int on_tick(void *cookie, const struct dh_gate_state *s, struct dh_error *err)
{
	struct dh_enforcer *e = cookie;
	double t = dh_clock_seconds();

	e->quiet = s->quiet;
	if (e->diverged)
		return dh_error_set(err, ECANCELED, "%s", e->why);
	if (!e->live && s->n_held && s->quiet > STUCK_AFTER &&
		s->n_held + s->n_waiting >= s->n_tasks && is_stuck(e, s)) {
		dh_enforcer_diverge(e, DH_NO_CALL,
			"all processes wait for each other: the other order is not possible");
		return dh_error_set(err, ECANCELED, "%s", e->why);
	}
	if (e->live && e->keeps && s->n_held && s->quiet > STUCK_AFTER &&
		s->n_held + s->n_waiting >= s->n_tasks)
		give_up(e);
	if (e->root_ended > 0 && e->opt.grace > 0 && t - e->root_ended > e->opt.grace) {
		e->ended_early = true;
		return dh_error_set(err, ECANCELED, "what the command left behind was ended");
	}
	/* Nobody is left who could wake anybody up. */
	if (e->live && !e->opt.went_live && s->quiet > DEAD_AFTER && s->n_waiting >= s->n_tasks)
		return too_long(e, t, "all of it waited for something that did not come", err);
	if (e->opt.timeout > 0 && t - e->began > e->opt.timeout)
		return too_long(e, t, "it was not over", err);
	return 0;
}

struct dh_gate dh_enforcer_gate(struct dh_enforcer *e)
{
	return (struct dh_gate){.cookie = e,
		.is_open = is_open,
		.allows = dh_enforcer_allows,
		.passed = on_passed,
		.entry = on_entry,
		.refuse = on_refuse,
		.feed = e->opt.branch ? dh_enforcer_feed : NULL,
		.own_clock = dh_enforcer_own_clock,
		.struck = on_struck,
		.exit = on_exit_call,
		.created = on_created,
		.ended = on_ended,
		.tick = on_tick};
}

void dh_enforcer_result(const struct dh_enforcer *e, struct dh_outcome *ret)
{
	ret->flipped = e->opt.branch && e->live;
	ret->seconds = dh_clock_seconds() - e->began;
	ret->diverged_at = e->diverged_at;
	snprintf(ret->why, sizeof(ret->why), "%s", e->why);
	if (e->hung)
		ret->end = DH_END_HUNG;
	else if (e->diverged || (e->opt.branch && !e->live))
		ret->end = DH_END_DIVERGED;
	else
		ret->end = DH_END_DONE;
	if (ret->end == DH_END_DIVERGED && !e->diverged)
		snprintf(ret->why, sizeof(ret->why),
			"the execution ended before the calls were reached");
}

const struct dh_outcome_process *dh_enforcer_processes(const struct dh_enforcer *e, size_t *ret_n)
{
	*ret_n = e->n_processes;
	return e->processes;
}
