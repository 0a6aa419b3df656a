/* Checkpoints: a ring forgets its oldest segments, so each of them begins with the whole state of
 * the program.
 * All tasks are brought to a stop, wherever they are; those that wait in the kernel stay there and
 * are described as just before their call, which a replay then reaches at once.  Nothing is done
 * to the program for it: its memory is read from outside, and what cannot be read from outside
 * (signal actions, the alternate stack, the extended state of a task in the kernel) is noted when
 * it is set or when a call begins. */
#include "record/recorder.h"

#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/fd.h"
#include "trace/writer.h"

#define STOP_WITHIN 0.5 /* seconds; then the program goes on, and it is tried again */
#define TRY_AGAIN   0.1
#define IGNORE      1 /* SIG_IGN */

static bool is_ring(const struct recorder *r)
{
	return r->opt->max_size;
}

void dh_checkpoint_entry(struct recorder *r, struct task *t, unsigned flags)
{
	size_t len = t->nr == SYS_rt_sigaction ? DH_EV_ACTION_SIZE : sizeof(t->altstack);
	uint64_t from = dh_regs_arg(&t->entry, t->nr == SYS_rt_sigaction ? 1 : 0);
	int n;

	if (!is_ring(r))
		return;
	/* Now, because the kernel may put the old value into the same place. */
	t->has_setting = dh_sysmodel_sets_state(t->nr) && from &&
			 dh_tracee_read(&t->t, from, t->setting, len) == 0;
	if (!(flags & (DH_SYS_BLOCKS | DH_SYS_WRITES)))
		return;
	dh_buf_clear(&t->entry_xstate);
	n = dh_tracee_get_xstate(
		&t->t, dh_buf_reserve(&t->entry_xstate, DH_XSTATE_MAX), DH_XSTATE_MAX);
	if (n < 0 || dh_tracee_get_sigmask(&t->t, &t->entry_mask) < 0)
		return;
	t->entry_xstate.len = (size_t)n;
	t->may_stay = true;
}

void dh_checkpoint_exit(struct recorder *r, struct task *t, int64_t result)
{
	uint64_t sig = dh_regs_arg(&t->entry, 0);

	if (!is_ring(r) || result < 0)
		return;
	if (t->nr == SYS_set_tid_address)
		t->clear_tid = dh_regs_arg(&t->entry, 0);
	if (!t->has_setting)
		return;
	t->has_setting = false;
	if (t->nr == SYS_sigaltstack)
		memcpy(t->altstack, t->setting, sizeof(t->altstack));
	else if (t->nr == SYS_rt_sigaction && sig >= 1 && sig <= DH_EV_ACTIONS)
		memcpy(t->process->actions[sig - 1], t->setting, DH_EV_ACTION_SIZE);
}

/* Handlers are gone, what is ignored stays ignored. */
static void reset_actions(struct process *p, uint64_t ignored)
{
	memset(p->actions, 0, sizeof(p->actions));
	for (int i = 0; i < DH_EV_ACTIONS; i++)
		p->actions[i][0] = ignored & 1ull << i ? IGNORE : 0;
}

void dh_checkpoint_cloned(struct recorder *r, struct task *t, struct task *child, uint64_t flags)
{
	uint64_t addr = dh_regs_arg(&t->entry, 3);

	if (!is_ring(r))
		return;
	if (child->process != t->process) {
		memcpy(child->process->actions, t->process->actions, sizeof(t->process->actions));
		child->process->parent = t->process->pid;
		child->process->stack = t->process->stack;
		child->process->mm = flags & CLONE_VM ? t->process->mm : ++r->next_mm;
	}
	if (flags & CLONE_CLEAR_SIGHAND)
		reset_actions(child->process, dh_signal_ignored(child->t.tid));
	if ((flags & (CLONE_VM | CLONE_VFORK)) != CLONE_VM)
		memcpy(child->altstack, t->altstack, sizeof(t->altstack));
	if (!(flags & CLONE_CHILD_CLEARTID))
		return;
	if (t->nr == SYS_clone3 &&
		dh_tracee_read(&t->t,
			dh_regs_arg(&t->entry, 0) + offsetof(struct clone_args, child_tid), &addr,
			sizeof(addr)) < 0)
		return;
	child->clear_tid = addr;
}

void dh_checkpoint_exec(struct recorder *r, struct task *t)
{
	if (!is_ring(r))
		return;
	t->process->mm = ++r->next_mm;
	reset_actions(t->process, dh_signal_ignored(t->t.tid));
	memset(t->altstack, 0, sizeof(t->altstack));
	t->clear_tid = 0;
}

static struct task *task_of(const struct dh_map_slot *slot)
{
	return (struct task *)(uintptr_t)slot->value;
}

static bool has_ended(const struct task *t)
{
	return t->state == TASK_DYING || !t->group;
}

static bool stays(const struct task *t)
{
	return t->in_call && t->may_stay;
}

/* The two share a stack; it does not last long. */
static bool vfork_under_way(struct recorder *r)
{
	dh_map_foreach (slot, &r->tasks) {
		if (task_of(slot)->vfork_child)
			return true;
	}
	return false;
}

static bool all_stopped(struct recorder *r)
{
	bool all = true;

	dh_map_foreach (slot, &r->tasks) {
		struct task *t = task_of(slot);

		if (t->stopped || has_ended(t) || stays(t))
			continue;
		all = false;
		/* Short calls end by themselves; interrupting them could show. */
		if (!t->park_asked && !t->in_call && dh_tracee_interrupt(&t->t) == 0)
			t->park_asked = true;
	}
	return all;
}

/* Whatever ends something is handled at once, so that it is in the log before the checkpoint;
 * whatever begins something waits. */
static bool can_park(const struct task *t, enum dh_stop_kind kind)
{
	switch (kind) {
	case DH_STOP_SECCOMP:
		return !t->interrupted;
	case DH_STOP_INTERRUPT:
	case DH_STOP_SIGNAL:
	case DH_STOP_GROUP:
		return true;
	default:
		return false;
	}
}

static void park_or_handle(struct recorder *r, pid_t tid, int status)
{
	struct task *t = dh_map_getp(&r->tasks, (uint64_t)tid);
	struct dh_stop stop = dh_stop_classify(status);

	if (t)
		t->park_asked = false;
	if (!t || !can_park(t, stop.kind)) {
		dh_rec_stopped(r, tid, status);
		return;
	}
	t->stop = stop;
	t->stopped = t->parked = true;
}

static bool stop_all(struct recorder *r)
{
	double limit = dh_rec_now() + STOP_WITHIN;
	int status;
	pid_t tid;

	while (r->tasks.n && !r->failed && !vfork_under_way(r) && dh_rec_now() < limit) {
		if (all_stopped(r))
			return true;
		tid = waitpid(-1, &status, __WALL);
		if (tid > 0)
			park_or_handle(r, tid, status);
		else if (errno != EINTR)
			return false;
	}
	return false;
}

static struct task *next_parked(struct recorder *r)
{
	dh_map_foreach (slot, &r->tasks) {
		if (task_of(slot)->parked)
			return task_of(slot);
	}
	return NULL;
}

/* Handling one stop may end other tasks: the search begins anew each time. */
static void go_on(struct recorder *r)
{
	struct task *t;

	while ((t = next_parked(r))) {
		t->parked = false;
		dh_rec_dispatch(r, t);
	}
}

static int describe_registers(struct recorder *r, struct task *t, struct dh_ev_task *e)
{
	bool at_entry = t->in_call || t->stop.kind == DH_STOP_SECCOMP;
	int n;

	if (t->stopped) {
		n = dh_tracee_get_regs(&t->t, &e->regs);
		if (n == 0)
			n = dh_tracee_get_sigmask(&t->t, &e->mask);
		if (n < 0)
			return n;
		dh_buf_clear(&r->scratch);
		n = dh_tracee_get_xstate(
			&t->t, dh_buf_reserve(&r->scratch, DH_XSTATE_MAX), DH_XSTATE_MAX);
		if (n < 0)
			return n;
		e->xstate = (uint8_t *)r->scratch.data;
		e->xstate_len = (uint64_t)n;
	} else {
		e->xstate = (uint8_t *)t->entry_xstate.data;
		e->xstate_len = t->entry_xstate.len;
	}
	if (t->in_call)
		e->regs = t->entry;
	if (t->in_call && t->may_stay)
		e->mask = t->entry_mask; /* the call may have one of its own */
	if (at_entry)
		dh_regs_restart_syscall(&e->regs, dh_regs_syscall(&e->regs));
	dh_regs_clear_trap(&e->regs);
	return 0;
}

static void read_name(pid_t tid, char ret[32])
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	ret[0] = '\0';
	if (dh_read_file(path, 64, &text, NULL) == 0)
		snprintf(ret, 32, "%.*s", (int)strcspn(text.data, "\n"), text.data);
}

static void log_task(struct recorder *r, struct task *t, bool process_gone)
{
	struct dh_ev_task e = {.tid = (uint32_t)t->t.tid,
		.pid = (uint32_t)t->process->pid,
		.clear_tid = t->clear_tid};
	char name[32] = "";

	e.ended = process_gone || has_ended(t) || describe_registers(r, t, &e) < 0;
	if (!e.ended) {
		memcpy(e.altstack, t->altstack, sizeof(e.altstack));
		e.robust = dh_exit_robust_list(t->t.tid);
		read_name(t->t.tid, name);
	}
	e.name = name;
	dh_ev_put_task(&r->payload, &e);
	dh_rec_log(r, t, DH_EV_TASK);
}

static struct task *first_living(struct recorder *r, const struct process *p)
{
	dh_map_foreach (slot, &r->tasks) {
		if (task_of(slot)->process == p && !has_ended(task_of(slot)))
			return task_of(slot);
	}
	return NULL;
}

static void log_process(
	struct recorder *r, struct process *p, struct dh_map *done_mms, struct dh_map *live_keys)
{
	struct task *first = first_living(r, p);
	bool seen = dh_map_get(done_mms, p->mm, NULL);
	int error = first ? dh_snapshot_process(r, first, !seen, live_keys) : -ESRCH;

	if (error == 0)
		dh_map_set(done_mms, p->mm, 1);
	dh_map_foreach (slot, &r->tasks) {
		if (task_of(slot)->process == p)
			log_task(r, task_of(slot), error < 0);
	}
}

/* A memory that nobody maps any more is described anew when somebody does. */
static void forget_shared(struct recorder *r, const struct dh_map *live)
{
	struct dh_map kept = DH_MAP_INIT;

	dh_map_foreach (slot, &r->shared) {
		if (dh_map_get(live, slot->value, NULL))
			dh_map_set(&kept, slot->key, slot->value);
	}
	dh_map_release(&r->shared);
	r->shared = kept;
}

static void write_checkpoint(struct recorder *r)
{
	struct dh_ev_checkpoint e = {
		.root_pid = (uint32_t)r->root, .root_status = -1, .n_tasks = r->tasks.n};
	struct dh_map done_mms = DH_MAP_INIT, live_keys = DH_MAP_INIT;
	struct dh_trace_writer_stats stats;

	dh_trace_writer_stats(r->writer, &stats);
	r->last_checkpoint.stored_before = stats.stored_bytes;
	r->last_checkpoint.size = 0;
	if (dh_trace_writer_new_segment(r->writer) < 0)
		return; /* the next event that is added says why */
	dh_files_restart(r);
	if (!dh_map_get(&r->tasks, (uint64_t)r->root, NULL))
		e.root_status = r->result->status;
	dh_ev_put_checkpoint(&r->payload, &e);
	dh_rec_log(r, &(struct task){0}, DH_EV_CHECKPOINT);
	for (struct process *p = r->processes; p; p = p->next)
		log_process(r, p, &done_mms, &live_keys);
	forget_shared(r, &live_keys);
	dh_map_release(&done_mms);
	dh_map_release(&live_keys);
	r->last_checkpoint.end_seq = dh_trace_writer_next_seq(r->writer);
}

/* What is kept is at least one segment and the next, both of a checkpoint and as much again. */
static void warn_of_size(struct recorder *r)
{
	uint64_t needed = r->last_checkpoint.size * 4;

	if (r->warned_of_size || needed <= r->opt->max_size)
		return;
	r->warned_of_size = true;
	dh_rec_warn(r,
		"the memory of the program takes %.1f MB: the recording will have about %.1f MB, "
		"more than --max-size says",
		(double)r->last_checkpoint.size / 1e6, (double)needed / 1e6);
}

/* Its size is known when the writer's thread has come to its end. */
static void measure_checkpoint(struct recorder *r)
{
	struct dh_trace_writer_stats stats;

	if (r->last_checkpoint.size || !r->last_checkpoint.end_seq)
		return;
	dh_trace_writer_stats(r->writer, &stats);
	if (stats.events < r->last_checkpoint.end_seq)
		return;
	r->last_checkpoint.size = stats.stored_bytes - r->last_checkpoint.stored_before;
	r->last_checkpoint.measured = stats.stored_bytes;
	warn_of_size(r);
}

/* When the program has much memory and the ring is small, checkpoints must not crowd out what
 * they are there for: at least as much is recorded between two of them as one takes. */
static bool is_due(struct recorder *r)
{
	struct dh_trace_writer_stats stats;

	measure_checkpoint(r);
	if (!dh_trace_writer_wants_segment(r->writer) || dh_rec_now() < r->next_try)
		return false;
	if (!r->last_checkpoint.end_seq)
		return true;
	dh_trace_writer_stats(r->writer, &stats);
	return r->last_checkpoint.size &&
	       stats.stored_bytes - r->last_checkpoint.measured >= r->last_checkpoint.size;
}

void dh_checkpoint_maybe(struct recorder *r)
{
	if (!is_ring(r) || r->result->write_error || !is_due(r))
		return;
	if (stop_all(r))
		write_checkpoint(r);
	else
		r->next_try = dh_rec_now() + TRY_AGAIN;
	go_on(r);
}
