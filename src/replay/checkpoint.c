/* Beginning at a checkpoint: the processes and threads that the recording had there are made anew,
 * with their memory, registers, masks and signal actions.  None of them is the child of another
 * here; what they learn of each other comes from the log anyway. */
#include "replay/replayer.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/prctl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "wire/landing.h"

#define SHARED_MAX   ((uint64_t)1 << 40)
#define TASKS_MAX    (1u << 22) /* more than Linux can have */
#define THREAD_FLAGS (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD)
#define DISABLED     2 /* SS_DISABLE */

static int begin(struct dh_replay *r)
{
	struct dh_ev_checkpoint e;

	if (dh_ev_get_checkpoint(&r->ev, &e) < 0 || !e.n_tasks || e.n_tasks > TASKS_MAX)
		return dh_rpl_damaged(r);
	r->restore.tasks = e.n_tasks;
	r->root_pid = e.root_pid;
	r->status = e.root_status;
	return 0;
}

static int fill_shared(struct dh_replay *r, struct dh_ev_memory *e)
{
	int fd = dh_image_shared_fd(r, e->key), n;
	struct dh_ev_write w;
	struct stat st;

	if (e->size > SHARED_MAX)
		return dh_rpl_damaged(r);
	if (fd < 0 || fstat(fd, &st) < 0)
		return dh_error_set(r->err, errno, "memfd_create: %s", strerror(errno));
	if ((uint64_t)st.st_size < e->size && ftruncate(fd, (off_t)e->size) < 0)
		return dh_error_set(r->err, errno, "shared memory: %s", strerror(errno));
	while ((n = dh_ev_next_write(&e->writes, &w)) > 0) {
		if (w.addr > SHARED_MAX || w.len > SHARED_MAX)
			return dh_rpl_damaged(r);
		if (pwrite(fd, w.data, w.len, (off_t)w.addr) != (ssize_t)w.len)
			return dh_error_set(r->err, EIO, "shared memory: cannot be written");
	}
	return n < 0 ? dh_rpl_damaged(r) : 0;
}

static int fill_memory(struct dh_replay *r)
{
	struct dh_ev_memory e;

	if (dh_ev_get_memory(&r->ev, &e) < 0)
		return dh_rpl_damaged(r);
	if (e.key)
		return fill_shared(r, &e);
	return r->restore.into ? dh_rpl_writes(r, r->restore.into, &e.writes) : dh_rpl_damaged(r);
}

/* A thread, or a process that shares memory, made by one that is there already. */
static int clone_from(struct dh_replay *r, struct dh_replay_task *from, uint32_t id, uint64_t flags)
{
	struct dh_replay_task *t;
	struct dh_stop stop;
	int64_t tid;
	int e = dh_run_inject(r, from, &tid, SYS_clone, flags, 0, 0, 0, 0, 0);

	if (e < 0)
		return e;
	t = dh_rpl_task_new(r, id, (pid_t)tid, from->tid, from->pid);
	if (flags & CLONE_THREAD)
		t->real_pid = from->real_pid;
	t->vm = from->vm;
	t->stack = from->stack;
	if (dh_tracee_wait(&t->t, &stop) < 0 || stop.kind != DH_STOP_INTERRUPT)
		return dh_rpl_diverged(r, t, "the new process or thread does not start");
	t->at = AT_HUSK;
	return 0;
}

static int map_all(struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_process *e)
{
	const uint8_t *at = e->vma_data, *end = e->vma_data + e->vma_len;
	struct dh_ev_vma v;
	int n, error = dh_image_unmap_all(r, t);

	while (error == 0 && (n = dh_ev_next_vma(&at, end, &v)) != 0) {
		if (n < 0)
			return dh_rpl_damaged(r);
		error = dh_image_map(r, t, &v, 0);
		if (v.key && v.shared)
			dh_map_set(&r->segments, v.start, v.end - v.start);
	}
	if (error == 0)
		error = dh_run_inject(
			r, t, NULL, SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0, 0);
	return error;
}

static int set_actions(struct dh_replay *r, struct dh_replay_task *t, const uint8_t *actions)
{
	int error = 0;

	for (int sig = 1; error == 0 && sig <= DH_EV_ACTIONS; sig++) {
		if (sig == SIGKILL || sig == SIGSTOP)
			continue;
		dh_tracee_write(&t->t, DH_LANDING_SCRATCH, actions + (sig - 1) * DH_EV_ACTION_SIZE,
			DH_EV_ACTION_SIZE);
		error = dh_run_inject(r, t, NULL, SYS_rt_sigaction, (uint64_t)sig,
			DH_LANDING_SCRATCH, 0, 8, 0, 0);
	}
	return error;
}

/* A limit that this process may not have is left as it is: it matters only to a stack that grows
 * further than here allowed, which then says so. */
static void set_stack_limit(struct dh_replay_task *t, const struct dh_ev_process *e)
{
	struct rlimit limit = {e->stack_soft, e->stack_hard};

	if (prlimit(t->real_pid, RLIMIT_STACK, &limit, NULL) < 0) {
		prlimit(t->real_pid, RLIMIT_STACK, NULL, &limit);
		limit.rlim_cur = DH_MIN(e->stack_soft, limit.rlim_max);
		prlimit(t->real_pid, RLIMIT_STACK, &limit, NULL);
	}
}

static int make_process(struct dh_replay *r)
{
	struct dh_replay_task *t, *sharing;
	struct dh_ev_process e;
	int error;

	if (dh_ev_get_process(&r->ev, &e) < 0 || !r->ev.task || dh_map_getp(&r->tasks, r->ev.task))
		return dh_rpl_damaged(r);
	sharing = dh_map_getp(&r->restore.mms, e.mm);
	error = sharing ? clone_from(r, sharing, r->ev.task, CLONE_VM | SIGCHLD)
			: dh_rpl_spawn(r, r->ev.task);
	if (error < 0)
		return error;
	t = dh_map_getp(&r->tasks, r->ev.task);
	t->pid = e.pid;
	t->stack = e.stack;
	dh_map_setp(&r->restore.mms, e.mm, t);
	r->restore.into = t;
	if (!sharing)
		error = map_all(r, t, &e);
	if (error == 0)
		error = set_actions(r, t, e.actions);
	if (error == 0)
		set_stack_limit(t, &e);
	return error;
}

/* What the kernel keeps for a thread beside its registers. */
static int set_kernel_state(
	struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_task *e)
{
	int error = dh_image_set_name(r, t, e->name);

	if (error == 0)
		error = dh_run_inject(r, t, NULL, SYS_set_tid_address, e->clear_tid, 0, 0, 0, 0, 0);
	if (error == 0 && e->robust)
		error = dh_run_inject(r, t, NULL, SYS_set_robust_list, e->robust, 24, 0, 0, 0, 0);
	if (error < 0 || !e->altstack[0] || (e->altstack[1] & DISABLED))
		return error;
	dh_tracee_write(&t->t, DH_LANDING_SCRATCH, e->altstack, sizeof(e->altstack));
	return dh_run_inject(r, t, NULL, SYS_sigaltstack, DH_LANDING_SCRATCH, 0, 0, 0, 0, 0);
}

static int set_registers(struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_task *e)
{
	struct dh_regs regs = e->regs;

	dh_regs_finish_syscall(&regs, dh_regs_result(&regs));
	if (dh_tracee_set_xstate(&t->t, e->xstate, e->xstate_len) < 0)
		return dh_error_set(r->err, ENOTSUP,
			"the registers of the recorded processor do not fit into this one: replay "
			"on a machine of the same kind");
	if (dh_tracee_set_regs(&t->t, &regs) < 0 || dh_tracee_set_sigmask(&t->t, e->mask) < 0)
		return dh_rpl_diverged(r, t, "cannot get its registers");
	t->at = AT_USER;
	return 0;
}

static void note_ended(struct dh_replay *r, const struct dh_ev_task *e)
{
	struct dh_replay_task *t = dh_rpl_task_new(r, r->ev.task, -1, e->tid, e->pid);

	t->real_pid = 0;
	t->at = AT_END;
	t->dead = true;
}

static int make_task(struct dh_replay *r)
{
	struct dh_replay_task *t = dh_map_getp(&r->tasks, r->ev.task), *first = r->restore.into;
	struct dh_ev_task e;
	int error = 0;

	if (dh_ev_get_task(&r->ev, &e) < 0 || !r->restore.tasks || !r->ev.task ||
		(t && (t->at != AT_HUSK || e.ended)))
		return dh_rpl_damaged(r);
	if (--r->restore.tasks == 0)
		r->restore.end = r->ev.seq;
	if (e.ended) {
		note_ended(r, &e);
		return 0;
	}
	if (!first || first->pid != e.pid)
		return dh_rpl_damaged(r);
	if (!t)
		error = clone_from(r, first, r->ev.task, THREAD_FLAGS);
	if (error < 0)
		return error;
	t = dh_map_getp(&r->tasks, r->ev.task);
	t->tid = e.tid;
	t->pid = e.pid;
	error = set_kernel_state(r, t, &e);
	return error < 0 ? error : set_registers(r, t, &e);
}

bool dh_play_checkpoint(struct dh_replay *r, int *ret)
{
	bool begins = r->ev.kind == DH_EV_CHECKPOINT && r->ev.seq == r->first;

	switch (r->ev.kind) {
	case DH_EV_CHECKPOINT:
		*ret = begins ? begin(r) : 0;
		return true;
	case DH_EV_PROCESS:
		*ret = r->restore.tasks ? make_process(r) : 0;
		return true;
	case DH_EV_MEMORY:
		*ret = r->restore.tasks ? fill_memory(r) : 0;
		return true;
	case DH_EV_TASK:
		*ret = r->restore.tasks ? make_task(r) : 0;
		return true;
	default:
		if (!r->restore.tasks && (r->root || !r->first))
			return false;
		*ret = dh_rpl_damaged(r);
		return true;
	}
}
