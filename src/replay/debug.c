/* Where the attached process pauses: the hooks that the replayer calls. */
#include "replay/debug.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/error.h"
#include "isa/frame.h"
#include "isa/stub.h"
#include "replay/gdb_serve.h"
#include "replay/replayer.h"

static bool watching(const struct dh_debug *d)
{
	return d && d->attached && !d->over && !d->detached;
}

static bool is_attached(const struct dh_debug *d, const struct dh_replay_task *t)
{
	return watching(d) && t->pid == d->pid;
}

void dh_replay_debug(struct dh_replay *r, const struct dh_debug_options *opt)
{
	struct dh_debug *d = dh_new(struct dh_debug);

	d->gdb = DH_GDB_INIT;
	d->pid = opt->pid;
	d->at_fork = opt->at_fork;
	d->args = opt->args;
	d->until = UINT64_MAX;
	d->watch_version = 1;
	r->debug = d;
}

bool dh_replay_debugged(const struct dh_replay *r)
{
	return r->debug && r->debug->attached;
}

int dh_replay_debug_wait(struct dh_replay *r)
{
	return r->debug ? dh_gdb_wait(&r->debug->gdb) : -1;
}

void dh_debug_free(struct dh_debug *d)
{
	if (!d)
		return;
	dh_gdb_close(&d->gdb);
	dh_buf_release(&d->reason);
	free(d->breaks);
	free(d);
}

/* The user looks at the stopped process until it is to go on. */
static int show(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_debug *d = r->debug;
	struct dh_replay_task *any;
	int e;

	d->current = t;
	d->waiting = false;
	e = dh_gdb_serve(r);
	d->siginfo.si_signo = 0;
	any = e == 0 ? debug_any_task(r) : NULL;
	if (any)
		debug_watch_update(d, any);
	return e;
}

/* Not in the middle of what seek.c has put beside the program: where its instructions have been
 * moved to is fine. */
static bool in_program(const struct dh_replay *r, struct dh_replay_task *t)
{
	const struct dh_stub *stub = r->stub;
	struct dh_regs regs;
	uint64_t pc;

	if (!stub || dh_tracee_get_regs(&t->t, &regs) < 0)
		return true;
	pc = dh_regs_pc(&regs);
	for (int i = 0; i < stub->n_moved; i++) {
		if (stub->moved[i].at == pc)
			return true;
	}
	return pc < stub->entry || pc >= stub->end;
}

/* The stub's own tests read memory that may be watched. */
static bool by_stub(const struct dh_replay *r, struct dh_replay_task *t)
{
	const struct dh_stub *stub = r->stub;
	const struct dh_stub_moved *last;
	struct dh_regs regs;
	uint64_t pc;

	if (!stub || !stub->n_moved || dh_tracee_get_regs(&t->t, &regs) < 0)
		return false;
	pc = dh_regs_pc(&regs);
	last = &stub->moved[stub->n_moved - 1];
	return pc >= stub->entry && pc < stub->end &&
	       (pc <= stub->resume || pc > last->at + last->size);
}

static int pause_at(struct dh_replay *r, struct dh_replay_task *t, int sig)
{
	struct dh_debug *d = r->debug;

	d->signal = sig;
	if (!r->seeking)
		return show(r, t);
	d->current = t;
	d->waiting = true;
	return in_program(r, t) ? -EAGAIN : 0;
}

static int pause_for(
	struct dh_replay *r, struct dh_replay_task *t, int sig, const char *why, uint64_t addr)
{
	struct dh_debug *d = r->debug;

	dh_buf_clear(&d->reason);
	if (strcmp(why, "watch") == 0 || strcmp(why, "awatch") == 0)
		dh_buf_addf(&d->reason, "%s:%" PRIx64 ";", why, addr);
	else if (*why)
		dh_buf_addf(&d->reason, "%s:;", why);
	return pause_at(r, t, sig);
}

int dh_debug_wait(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_debug *d = r->debug;

	return watching(d) && d->waiting ? show(r, d->current ? d->current : t) : 0;
}

static const struct debug_action *action_of(
	const struct dh_debug *d, const struct dh_replay_task *t)
{
	static const struct debug_action none = {.go = DEBUG_CONTINUE};

	for (size_t i = 0; i < d->n_actions; i++) {
		if (d->actions[i].tid == 0 || d->actions[i].tid == t->tid)
			return &d->actions[i];
	}
	return &none;
}

bool dh_debug_watches(const struct dh_replay *r, const struct dh_replay_task *t)
{
	const struct dh_debug *d = r->debug;
	bool any = false;

	for (int i = 0; is_attached(d, t) && i < DH_DEBUG_WATCHES; i++)
		any |= d->watches[i].type != 0;
	return any;
}

bool dh_debug_steps(const struct dh_replay *r, const struct dh_replay_task *t)
{
	const struct dh_debug *d = r->debug;

	return is_attached(d, t) && action_of(d, t)->go == DEBUG_STEP;
}

/* The user may interrupt a process while another one runs: then it is shown where it waits. */
static int check_interrupt(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_debug *d = r->debug;
	int n = dh_gdb_interrupted(&d->gdb);

	if (n <= 0)
		return n;
	dh_gdb_clear_interrupt(&d->gdb);
	if (!is_attached(d, t))
		t = debug_any_task(r);
	return t ? pause_for(r, t, SIGINT, "", 0) : 0;
}

static bool wants_step(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_debug *d = r->debug;

	if (t == d->silent || dh_debug_steps(r, t))
		return true;
	return d->waiting; /* on the way out of a stub */
}

int dh_debug_run(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_debug *d = r->debug;
	int e;

	if (!watching(d))
		return dh_tracee_resume(&t->t, DH_RESUME_CONT, 0);
	if (d->faulted == t)
		d->faulted = NULL;
	if (d->waiting && in_program(r, t))
		return -EAGAIN;
	dh_gdb_begin_run(t->t.tid);
	e = check_interrupt(r, t);
	if (e < 0 || !watching(d))
		return e < 0 ? e : dh_tracee_resume(&t->t, DH_RESUME_CONT, 0);
	if (t->vm == d->vm && t != d->silent)
		debug_insert(d, t);
	if (t->pid == d->pid)
		debug_sync_watches(d, t);
	d->stepping = wants_step(r, t);
	if (d->stepping)
		d->step = dh_step_prepare(&t->t);
	return dh_tracee_resume(&t->t, d->stepping ? DH_RESUME_STEP : DH_RESUME_CONT, 0);
}

static int on_breakpoint(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_debug *d = r->debug;
	struct dh_regs regs;
	uint64_t pc;
	int e;

	if (dh_tracee_get_regs(&t->t, &regs) < 0)
		return 0;
	pc = dh_regs_pc(&regs) - 1;
	if (t->vm != d->vm || !debug_find_break(d, pc))
		return 0;
	dh_regs_set_pc(&regs, pc);
	dh_tracee_set_regs(&t->t, &regs);
	if (t->pid != d->pid) {
		/* Another process in the same memory (vfork): it steps on without being shown. */
		dh_debug_lift(r, t, DH_DEBUG_ALL);
		d->silent = t;
		return 1;
	}
	e = pause_for(r, t, SIGTRAP, "swbreak", 0);
	return e < 0 ? e : 1;
}

static bool step_is_done(struct dh_debug *d, struct dh_replay_task *t)
{
	const struct debug_action *a = action_of(d, t);
	struct dh_regs regs;

	return debug_regs(t, &regs) < 0 || dh_regs_pc(&regs) < a->start ||
	       dh_regs_pc(&regs) >= a->end;
}

static int on_debug_trap(struct dh_replay *r, struct dh_replay_task *t, bool stepped)
{
	static const char *const why[] = {['1'] = "hwbreak", ['2'] = "watch", ['4'] = "awatch"};
	struct dh_debug *d = r->debug;
	const struct debug_watch *w;
	bool seek;
	int e = 0;

	w = debug_watch_hit(d, t, &seek);
	if (w && by_stub(r, t))
		return 1;
	if (w)
		e = pause_for(r, t, SIGTRAP, why[(int)w->type], w->addr);
	else if (stepped && dh_debug_steps(r, t) && step_is_done(d, t))
		e = pause_for(r, t, SIGTRAP, "", 0);
	else if (!stepped && !seek)
		return 0;
	if (e < 0)
		return e;
	return seek ? 0 : 1;
}

/* What a step leaves behind, and the end of a silent one. */
static void after_step(struct dh_debug *d, struct dh_replay_task *t)
{
	if (d->stepping)
		dh_step_clean(&d->step, &t->t);
	d->stepping = false;
	if (d->silent == t)
		d->silent = NULL;
}

/* An interrupt that came too late is the next stop, before any instruction: it must not meet
 * somebody who does not expect it.  (At the entry of a system call everybody does.) */
static void take_interrupt(struct dh_replay_task *t)
{
	struct dh_stop stop;

	if (dh_tracee_resume(&t->t, DH_RESUME_CONT, 0) == 0)
		dh_tracee_wait(&t->t, &stop);
}

int dh_debug_stopped(struct dh_replay *r, struct dh_replay_task *t, const struct dh_stop *stop)
{
	struct dh_debug *d = r->debug;
	siginfo_t si;
	bool stepped, interrupted;

	if (!watching(d))
		return 0;
	interrupted = dh_gdb_end_run();
	if (stop->kind == DH_STOP_EXITED || stop->kind == DH_STOP_EXITING)
		return 0;
	stepped = d->stepping;
	after_step(d, t);
	if (stop->kind != DH_STOP_SIGNAL || dh_tracee_get_siginfo(&t->t, &si) < 0)
		return 0;
	if (interrupted)
		take_interrupt(t);
	if (stop->code == SIGTRAP && si.si_code == SI_KERNEL) {
		int n = on_breakpoint(r, t);

		if (n != 0)
			return n;
	} else if (stop->code == SIGTRAP && si.si_code > 0) {
		return on_debug_trap(r, t, stepped);
	}
	if (is_attached(d, t) && si.si_code > 0) {
		d->faulted = t;
		d->fault = si;
	}
	return 0;
}

int dh_debug_signal(struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_signal *ev)
{
	struct dh_debug *d = r->debug;

	if (!is_attached(d, t) || ev->sig >= DH_DEBUG_SIGNALS || d->pass[ev->sig])
		return 0;
	memset(&d->siginfo, 0, sizeof(d->siginfo));
	if (ev->frame_len >= DH_FRAME_SIGINFO + sizeof(d->siginfo))
		memcpy(&d->siginfo, ev->frame_data + DH_FRAME_SIGINFO, sizeof(d->siginfo));
	if (d->siginfo.si_signo != ev->sig)
		d->siginfo.si_signo = 0; /* left out for a handler that does not take it */
	return pause_for(r, t, ev->sig, "", 0);
}

int dh_debug_dying(struct dh_replay *r, struct dh_replay_task *t, int status)
{
	struct dh_debug *d = r->debug;
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (!is_attached(d, t) || d->dying || !sig || sig == SIGKILL)
		return 0;
	d->dying = true;
	if (d->faulted && d->fault.si_signo == sig) {
		d->siginfo = d->fault;
		t = d->faulted;
	}
	return pause_for(r, t, sig, "", 0);
}

/* The memory stays with whoever shares it (vfork), without breakpoints. */
void dh_debug_exec(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_debug *d = r->debug;

	if (!is_attached(d, t))
		return;
	dh_debug_lift(r, t, DH_DEBUG_ALL);
	d->n_breaks = 0;
	d->tls_field = 0;
	memset(d->watches, 0, sizeof(d->watches));
	d->watch_version++;
}

static int attach(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_debug *d = r->debug;
	int e;

	d->pid = t->pid;
	d->vm = t->vm;
	d->attached = true;
	e = dh_gdb_start(&d->gdb, d->args, r->err);
	if (e < 0)
		return e;
	d->current = t;
	d->signal = SIGTRAP;
	dh_buf_clear(&d->reason);
	return dh_gdb_greet(r);
}

static int after_exec(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_debug *d = r->debug;
	struct dh_ev_exec e;

	if (!d->attached)
		return !d->pid || (d->pid == t->pid && !d->at_fork) ? attach(r, t) : 0;
	if (!is_attached(d, t) || dh_ev_get_exec(&r->ev, &e) < 0)
		return 0;
	d->vm = t->vm;
	dh_buf_clear(&d->reason);
	dh_buf_adds(&d->reason, "exec:");
	dh_gdb_add_hex(&d->reason, e.path, strlen(e.path));
	dh_buf_addc(&d->reason, ';');
	return pause_at(r, t, SIGTRAP);
}

static int after_clone(struct dh_replay *r)
{
	struct dh_debug *d = r->debug;
	struct dh_replay_task *child;
	struct dh_ev_clone e;

	if (d->attached || !d->at_fork || dh_ev_get_clone(&r->ev, &e) < 0 ||
		e.child_pid != d->pid || (e.flags & CLONE_THREAD))
		return 0;
	child = dh_map_getp(&r->tasks, e.child);
	return child ? attach(r, child) : 0;
}

/* The processes of the checkpoint with which the replay has begun are all there. */
static int after_restore(struct dh_replay *r)
{
	struct dh_debug *d = r->debug;
	uint32_t pid = d->pid ? d->pid : r->root_pid;

	dh_map_foreach (slot, &r->tasks) {
		struct dh_replay_task *t = (struct dh_replay_task *)(uintptr_t)slot->value;

		if (t->pid == pid && !t->dead)
			return attach(r, t);
	}
	return 0;
}

static int after_exit(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_debug *d = r->debug;
	struct dh_ev_exit e;

	if (!is_attached(d, t) || dh_ev_get_exit(&r->ev, &e) < 0 || !e.last)
		return 0;
	dh_gdb_say_exit(&d->gdb, e.status);
	d->over = true;
	return 0;
}

/* The kernel's part in what the program does: system calls, handlers, emulated instructions. */
static int after_other(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_debug *d = r->debug;
	const struct debug_watch *w;

	if (!is_attached(d, t))
		return 0;
	w = debug_watch_changed(d, t);
	if (w)
		return pause_for(r, t, SIGTRAP, w->type == '2' ? "watch" : "awatch", w->addr);
	if (t->at != AT_USER || r->ev.kind == DH_EV_PREEMPT || !dh_debug_steps(r, t) ||
		!step_is_done(d, t))
		return 0;
	return pause_for(r, t, SIGTRAP, "", 0);
}

int dh_debug_before(struct dh_replay *r)
{
	struct dh_debug *d = r->debug;
	struct dh_replay_task *t;

	int e = 0;

	if (d && d->over)
		return 0;
	if (watching(d) && r->position >= d->until) {
		d->until = UINT64_MAX;
		t = debug_any_task(r);
		e = t ? pause_for(r, t, SIGTRAP, "", 0) : 0;
	}
	return e < 0 ? e : 1;
}

int dh_debug_after(struct dh_replay *r, int result)
{
	struct dh_debug *d = r->debug;
	struct dh_replay_task *t;

	if (!d || d->over || d->detached || result == -ECANCELED)
		return result;
	if (result < 0) {
		dh_debug_end(r, dh_error_text(r->err, result));
		return result;
	}
	if (r->restore.end && r->ev.seq == r->restore.end)
		return after_restore(r);
	t = dh_map_getp(&r->tasks, r->ev.task);
	if (!t || r->restore.tasks)
		return result;
	switch (r->ev.kind) {
	case DH_EV_EXEC:
		return after_exec(r, t);
	case DH_EV_CLONE:
		return after_clone(r);
	case DH_EV_EXIT:
		return after_exit(r, t);
	case DH_EV_PROCESS:
	case DH_EV_MEMORY:
	case DH_EV_TASK:
		return 0;
	default:
		return after_other(r, t);
	}
}

/* gdb knows such an end from its own recordings, and gives up whatever it was about to do. */
int dh_debug_end(struct dh_replay *r, const char *why)
{
	struct dh_debug *d = r->debug;
	int e = 0;

	if (watching(d))
		dh_gdb_say(&d->gdb, why);
	while (e == 0 && watching(d)) {
		struct dh_replay_task *t = debug_any_task(r);

		if (!t)
			return 0;
		dh_buf_clear(&d->reason);
		dh_buf_adds(&d->reason, "replaylog:end;");
		e = pause_at(r, t, SIGTRAP);
	}
	return e;
}
