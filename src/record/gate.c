/* The recorder's side of a gate: tasks that are held at the entry of a call. */
#include "record/recorder.h"

#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/alloc.h"
#include "base/error.h"
#include "record/buffer.h"
#include "record/describe.h"

/* Looking at what waiting tasks do costs a file each: only when nothing happens anyway. */
#define QUIET_ENOUGH 0.02
#define VERY_QUIET   0.5

static struct dh_gate_call describe(struct task *t, int64_t result)
{
	struct dh_gate_call c = {.task = t->id,
		.tid = t->t.tid,
		.pid = t->process->pid,
		.call = dh_call_of(t, result),
		.about = t->about ? &t->about->call : NULL};

	return c;
}

static bool asks(struct recorder *r, struct task *t)
{
	struct dh_gate_call c = describe(t, 0);

	return r->gate->entry(r->gate->cookie, &c) == DH_GATE_GO;
}

bool dh_gate_is_open(const struct recorder *r)
{
	return !r->gate || (r->gate->is_open && r->gate->is_open(r->gate->cookie));
}

/* A task at the entry of a call has not made it: a signal that comes meanwhile strikes before the
 * call, as if nobody had held the task.  The kernel, which is past that point, would let it strike
 * behind the call only.  So the call is not made now, and comes in again. */
static bool strike(struct recorder *r, struct task *t)
{
	struct dh_regs regs = t->entry;

	if (!dh_tracee_has_signal(&t->t))
		return false;
	dh_gate_forget(r, t);
	r->gate->struck(r->gate->cookie, t->id);
	dh_buffer_allow(t, 0, false);
	dh_call_log_enter(r, t);
	t->interrupted = t->reenters = t->struck = true;
	dh_buffer_restart(t, &regs);
	dh_regs_restart_syscall(&regs, t->nr);
	dh_tracee_set_regs(&t->t, &regs);
	t->state = TASK_WAITING;
	dh_rec_resume(r, t, DH_RESUME_CONT, 0);
	dh_turn_release(r, t);
	return true;
}

bool dh_gate_holds(struct recorder *r, struct task *t)
{
	if (!r->gate || t->silent)
		return false;
	/* Once for each call: a fast timer must not keep the task from making it. */
	if (!t->gate_passed && !t->struck && !dh_gate_is_open(r) && strike(r, t))
		return true;
	if (t->gate_passed || asks(r, t)) {
		t->gate_passed = t->struck = false;
		return false;
	}
	t->gated = true;
	r->n_gated++;
	/* As a task that waits in the kernel: others of its group go on. */
	dh_call_log_enter(r, t);
	t->state = TASK_READY;
	dh_turn_release(r, t);
	return true;
}

int dh_gate_refuses(struct recorder *r, struct task *t)
{
	struct dh_gate_call c;

	if (!r->gate || !r->gate->refuse || t->silent)
		return 0;
	c = describe(t, 0);
	return r->gate->refuse(r->gate->cookie, &c);
}

void dh_gate_forget(struct recorder *r, struct task *t)
{
	if (t->gated) {
		t->gated = false;
		r->n_gated--;
	}
	t->gate_passed = false;
}

static int by_id(const void *a, const void *b)
{
	struct task *const *x = a, *const *y = b;

	return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

/* Whom a signal has come for goes on at once, the others when they may.  What is let go may end or
 * create tasks: the list is made anew after each. */
static struct task *next_free(struct recorder *r)
{
	DH_FREE struct task **held = NULL;
	size_t n = 0, cap = 0;

	dh_map_foreach (slot, &r->tasks) {
		struct task *t = (struct task *)(uintptr_t)slot->value;

		if (!t->gated)
			continue;
		DH_GROW(held, n, cap);
		held[n++] = t;
	}
	if (n)
		qsort(held, n, sizeof(*held), by_id);
	for (size_t i = 0; i < n; i++)
		if (strike(r, held[i]))
			return next_free(r);
	for (size_t i = 0; i < n; i++)
		if (asks(r, held[i]))
			return held[i];
	return NULL;
}

void dh_gate_retry(struct recorder *r)
{
	struct task *t;

	while (r->n_gated && (t = next_free(r))) {
		dh_gate_forget(r, t);
		t->gate_passed = true;
		dh_rec_dispatch(r, t);
	}
}

static int write_to(void *cookie, uint64_t addr, const void *p, size_t n)
{
	return dh_tracee_write(cookie, addr, p, n);
}

int64_t dh_gate_feed(struct recorder *r, struct task *t, int64_t result)
{
	struct dh_gate_call c;

	if (!r->gate || !r->gate->feed)
		return result;
	c = describe(t, result);
	return r->gate->feed(r->gate->cookie, &c, write_to);
}

/* What the task may do until it stops again. */
static void tell_buffer(struct recorder *r, struct task *t)
{
	const struct dh_gate *g = r->gate;
	bool single = t->process->n_tasks == 1;

	if (g->allows)
		dh_buffer_allow(t, single && !dh_gate_is_open(r) ? g->allows(g->cookie, t->id) : 0,
			single && g->feed && g->own_clock(g->cookie, t->id));
}

void dh_gate_exit(struct recorder *r, struct task *t, int64_t result)
{
	struct dh_gate_call c;

	if (!r->gate || t->silent)
		return;
	c = describe(t, result);
	r->gate->exit(r->gate->cookie, &c);
	tell_buffer(r, t);
}

void dh_gate_passed(struct recorder *r, struct task *t, const struct dh_ev_call *about)
{
	struct dh_gate_call c = describe(t, about->result);

	if (!r->gate || !r->gate->passed || dh_gate_is_open(r))
		return;
	c.call.nr = about->nr;
	memcpy(c.call.arg, about->arg, sizeof(c.call.arg));
	c.about = about;
	r->gate->passed(r->gate->cookie, &c);
}

void dh_gate_created(
	struct recorder *r, const struct task *parent, const struct task *child, uint64_t flags)
{
	struct dh_gate_created c = {.parent = parent ? parent->id : 0,
		.child = child->id,
		.tid = child->t.tid,
		.pid = child->process->pid,
		.flags = flags};

	if (r->gate)
		r->gate->created(r->gate->cookie, &c);
}

void dh_gate_ended(struct recorder *r, struct task *t, int status, bool process)
{
	struct dh_gate_ended e = {.task = t->id,
		.tid = t->t.tid,
		.pid = t->process->pid,
		.process = process,
		.status = status};

	if (r->gate)
		r->gate->ended(r->gate->cookie, &e);
}

/* Whether the call that the task sleeps in ends by itself after some time. */
static bool has_a_bound(const struct dh_sys_call *c)
{
	switch (c->nr) {
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
		return true;
	case SYS_poll:
		return (int)c->arg[2] >= 0;
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
		return (int)c->arg[3] >= 0;
	case SYS_select:
	case SYS_pselect6:
		return c->arg[4] != 0;
	case SYS_ppoll:
	case SYS_rt_sigtimedwait:
		return c->arg[2] != 0;
	case SYS_epoll_pwait2:
	case SYS_semtimedop:
		return c->arg[3] != 0;
	case SYS_futex:
		return (c->arg[1] & FUTEX_CMD_MASK) != FUTEX_WAKE && c->arg[3] != 0;
	default:
		return !(dh_sysmodel_flags(c) & DH_SYS_BLOCKS);
	}
}

static bool waits_for_others(struct task *t)
{
	struct dh_gate_call c = describe(t, 0);

	if (t->gated || t->stopped || (!t->in_call && !dh_buffer_call_inside(t, &c.call)))
		return false;
	return !has_a_bound(&c.call) && dh_task_sleeps(t->process->pid, t->t.tid);
}

void dh_gate_tick(struct recorder *r)
{
	struct dh_gate_state s = {.n_tasks = (int)r->tasks.n,
		.n_held = r->n_gated,
		.quiet = dh_rec_now() - r->last_stop};
	struct dh_error err = DH_ERROR_INIT;
	int e;

	if (s.quiet >= (r->n_gated ? QUIET_ENOUGH : VERY_QUIET))
		dh_map_foreach (slot, &r->tasks)
			s.n_waiting += waits_for_others((struct task *)(uintptr_t)slot->value);
	e = r->gate->tick(r->gate->cookie, &s, &err);
	if (e)
		dh_rec_fail(r, -e, "%s", dh_error_text(&err, e));
}
