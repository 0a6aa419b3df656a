/* System calls: their results come from the log. */
#include "replay/debug.h"
#include "replay/replayer.h"

#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fd.h"
#include "wire/landing.h"

#define RANGES_MAX 4096

static int read_memory(void *cookie, uint64_t addr, void *p, size_t n)
{
	return dh_tracee_read(cookie, addr, p, n);
}

/* Shows again what the program wrote to its standard output or error. */
static void echo(struct dh_replay *r, struct dh_replay_task *t, const struct dh_regs *regs,
	const struct dh_ev_syscall *e)
{
	static struct dh_sys_range ranges[RANGES_MAX];
	struct dh_sys_call c = {
		.nr = e->nr, .result = e->result, .read = read_memory, .cookie = &t->t};
	int fd = e->flags & DH_EV_ECHO_OUT ? r->opt.out_fd : r->opt.err_fd;
	uint64_t left = e->result > 0 ? (uint64_t)e->result : 0;
	int n;

	if (fd < 0)
		return;
	for (int i = 0; i < 6; i++)
		c.arg[i] = dh_regs_arg(regs, i);
	n = dh_sysmodel_inputs(&c, ranges, RANGES_MAX);
	for (int i = 0; i < n && left; i++) {
		DH_BUF struct dh_buf data = DH_BUF_INIT;
		uint64_t len = DH_MIN(ranges[i].len, left);

		dh_debug_lift(r, t, ranges[i].addr, len);
		if (dh_tracee_read(&t->t, ranges[i].addr, dh_buf_reserve(&data, len), len) < 0)
			return;
		dh_write_full(fd, data.data, len);
		left -= len;
	}
}

static int answer(struct dh_replay *r, struct dh_replay_task *t, struct dh_regs *regs,
	struct dh_ev_syscall *e)
{
	int error = dh_rpl_writes(r, t, &e->writes);

	if (error < 0)
		return error;
	dh_regs_finish_syscall(regs, e->result);
	dh_play_buffer_behind(t, regs);
	if (dh_tracee_set_regs(&t->t, regs) < 0)
		return dh_rpl_diverged(r, t, "the process is gone");
	t->at = AT_USER;
	return 0;
}

int dh_play_enter(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_ev_enter e;

	if (dh_ev_get_enter(&r->ev, &e) < 0)
		return dh_rpl_damaged(r);
	return dh_run_to_entry(r, t, e.nr, e.entry_hash, e.digest);
}

int dh_play_write(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_ev_writes w;
	struct dh_stop stop;
	int e = 0;

	if (dh_ev_get_writes(&r->ev, &w) < 0)
		return dh_rpl_damaged(r);
	if (t->at == AT_USER) /* to the call that did it */
		e = dh_run_to_stop(r, t, &stop);
	return e < 0 ? e : dh_rpl_writes(r, t, &w);
}

static int wait_for_exit_stop(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_stop stop;

	do {
		if (dh_tracee_wait(&t->t, &stop) < 0 || stop.kind == DH_STOP_EXITED ||
			stop.kind == DH_STOP_EXITING)
			return dh_rpl_diverged(r, t, "the process is gone");
		if (stop.kind != DH_STOP_SYSCALL)
			dh_tracee_resume(&t->t, DH_RESUME_SYSCALL, 0);
	} while (stop.kind != DH_STOP_SYSCALL);
	return 0;
}

/* Performs the call at whose entry the task is; regs are then those at its exit, which may differ
 * in more than the result (segment bases). */
static int perform(struct dh_replay *r, struct dh_replay_task *t, struct dh_regs *regs)
{
	int e;

	if (dh_tracee_resume(&t->t, DH_RESUME_SYSCALL, 0) < 0)
		return dh_rpl_diverged(r, t, "the process is gone");
	e = wait_for_exit_stop(r, t);
	if (e == 0 && dh_tracee_get_regs(&t->t, regs) < 0)
		e = dh_rpl_diverged(r, t, "the process is gone");
	return e;
}

int dh_play_syscall(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_ev_syscall e;
	struct dh_regs regs;
	int error = 0;

	if (dh_ev_get_syscall(&r->ev, &e) < 0)
		return dh_rpl_damaged(r);
	if (t->at == AT_KERNEL) {
		if (t->vfork)
			error = wait_for_exit_stop(r, t);
		t->vfork = false;
	} else {
		error = dh_run_to_entry(r, t, e.nr, e.entry_hash, e.digest);
	}
	if (error < 0)
		return error;
	if (dh_tracee_get_regs(&t->t, &regs) < 0)
		return dh_rpl_diverged(r, t, "the process is gone");
	if (e.flags & (DH_EV_ECHO_OUT | DH_EV_ECHO_ERR))
		echo(r, t, &regs, &e);
	if (e.flags & DH_EV_EXECUTE) {
		dh_debug_lift(r, t, DH_DEBUG_ALL);
		error = perform(r, t, &regs);
	}
	return error < 0 ? error : answer(r, t, &regs, &e);
}

/* The thread ids that the kernel stores are this machine's: put the recorded ones there. */
static void store_ids(struct dh_replay *r, struct dh_replay_task *parent,
	struct dh_replay_task *child, const struct dh_regs *entry, const struct dh_ev_clone *e)
{
	uint64_t parent_tid = dh_regs_arg(entry, 2), child_tid = dh_regs_arg(entry, 3);
	struct clone_args args = {0};

	(void)r;
	if (dh_regs_syscall(entry) == SYS_clone3) {
		dh_tracee_read(&parent->t, dh_regs_arg(entry, 0), &args,
			DH_MIN(sizeof(args), (size_t)dh_regs_arg(entry, 1)));
		parent_tid = args.parent_tid;
		child_tid = args.child_tid;
	} else if (dh_regs_syscall(entry) != SYS_clone) {
		return;
	}
	if (e->flags & CLONE_PARENT_SETTID)
		dh_tracee_write(&parent->t, parent_tid, &e->child_tid, 4);
	if (e->flags & CLONE_CHILD_SETTID)
		dh_tracee_write(&child->t, child_tid, &e->child_tid, 4);
}

/* Waits for the event of the parent and the first stop of the child. */
static int wait_for_child(struct dh_replay *r, struct dh_replay_task *t, unsigned long *ret)
{
	struct dh_tracee child;
	struct dh_stop stop;

	do { /* an interrupt by a debugger may come before */
		if (dh_tracee_wait(&t->t, &stop) < 0)
			break;
		if (stop.kind == DH_STOP_INTERRUPT)
			dh_tracee_resume(&t->t, DH_RESUME_SYSCALL, 0);
	} while (stop.kind == DH_STOP_INTERRUPT);
	if (stop.kind != DH_STOP_CLONE || dh_tracee_event(&t->t, ret) < 0)
		return dh_rpl_diverged(r, t, "cannot create a process or thread");
	dh_tracee_init(&child, (pid_t)*ret);
	if (dh_tracee_wait(&child, &stop) < 0 || stop.kind != DH_STOP_INTERRUPT)
		return dh_rpl_diverged(r, t, "the new process or thread does not start");
	return 0;
}

#define NAMESPACES                                                                                 \
	(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | \
		CLONE_NEWCGROUP)

static bool creates(int64_t nr)
{
	return nr == SYS_clone || nr == SYS_clone3 || nr == SYS_fork || nr == SYS_vfork;
}

int dh_play_clone(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_replay_task *child;
	struct dh_regs entry, regs;
	struct dh_ev_clone e;
	unsigned long tid;
	int error;

	if (dh_ev_get_clone(&r->ev, &e) < 0)
		return dh_rpl_damaged(r);
	if (t->at != AT_ENTRY) {
		struct dh_stop stop;

		error = dh_run_to_stop(r, t, &stop);
		if (error < 0)
			return error;
	}
	if (t->at != AT_ENTRY || dh_tracee_get_regs(&t->t, &entry) < 0 ||
		!creates(dh_regs_syscall(&entry)))
		return dh_rpl_diverged(r, t, "did not create a process or thread");
	regs = entry;
	if (dh_regs_syscall(&entry) == SYS_clone)
		dh_regs_set_arg(&regs, 0, dh_regs_arg(&entry, 0) & ~(uint64_t)NAMESPACES);
	dh_tracee_set_regs(&t->t, &regs);
	t->entry = entry;
	dh_debug_lift(r, t, DH_DEBUG_ALL);
	if (dh_tracee_resume(&t->t, DH_RESUME_SYSCALL, 0) < 0)
		return dh_rpl_diverged(r, t, "the process is gone");
	error = wait_for_child(r, t, &tid);
	if (error < 0)
		return error;
	child = dh_rpl_task_new(r, e.child, (pid_t)tid, e.child_tid, e.child_pid);
	child->real_pid = e.flags & CLONE_THREAD ? t->real_pid : (pid_t)tid;
	child->vm = e.flags & CLONE_VM ? t->vm : child->vm;
	child->stack = t->stack;
	store_ids(r, t, child, &entry, &e);
	dh_play_buffer_cloned(t, child, e.flags);
	if (dh_tracee_resume(&t->t, DH_RESUME_SYSCALL, 0) < 0)
		return dh_rpl_diverged(r, t, "the process is gone");
	t->at = AT_KERNEL;
	t->vfork = e.flags & CLONE_VFORK;
	if (t->vfork)
		return 0;
	error = wait_for_exit_stop(r, t);
	/* Arguments are the program's own again. */
	if (error == 0 && dh_tracee_get_regs(&t->t, &regs) == 0) {
		dh_regs_set_arg(&regs, 0, dh_regs_arg(&entry, 0));
		dh_tracee_set_regs(&t->t, &regs);
	}
	return error;
}

static bool is_gone(pid_t tid)
{
	char path[32], text[256], *close;
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	f = fopen(path, "re");
	if (!f)
		return true;
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	close = strrchr(text, ')');
	return !close || close[2] == 'Z' || close[2] == 'X';
}

/* Ends this one task; the log has an event for each of the others that ended with it. */
static void end_task(struct dh_replay_task *t)
{
	const uint64_t args[6] = {0};
	struct timespec pause = {.tv_nsec = 20000};
	struct dh_regs regs;
	int status;

	if (t->at == AT_KERNEL && t->vfork) {
		syscall(SYS_tgkill, t->real_pid, t->t.tid, SIGKILL);
	} else if (dh_tracee_get_regs(&t->t, &regs) == 0) {
		dh_regs_begin_syscall(&regs, SYS_exit, args, DH_LANDING_SYSCALL);
		dh_tracee_set_regs(&t->t, &regs);
		dh_tracee_resume(&t->t, DH_RESUME_CONT, 0);
	}
	for (int i = 0; i < 100000; i++) {
		pid_t got = waitpid(t->t.tid, &status, __WALL | WNOHANG);

		if (got < 0 || (got > 0 && !WIFSTOPPED(status)))
			return;
		if (got > 0)
			dh_tracee_resume(&t->t, DH_RESUME_CONT, 0);
		else if (is_gone(t->t.tid))
			return; /* the first thread of a process that has others */
		else
			nanosleep(&pause, NULL);
	}
}

static bool is_at_exit(struct dh_replay_task *t)
{
	struct dh_regs regs;

	if (t->at != AT_ENTRY || dh_tracee_get_regs(&t->t, &regs) < 0)
		return false;
	return dh_regs_syscall(&regs) == SYS_exit || dh_regs_syscall(&regs) == SYS_exit_group;
}

int dh_play_exit(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_ev_exit e;
	struct dh_stop stop;
	int error = 0;

	if (dh_ev_get_exit(&r->ev, &e) < 0)
		return dh_rpl_damaged(r);
	if (e.last) {
		if (t->pid == r->root_pid)
			r->status = e.status;
		return 0;
	}
	if (t->at == AT_END)
		return 0;
	if (!e.killed && t->at == AT_USER)
		error = dh_run_to_stop(r, t, &stop);
	if (error == 0 && !e.killed && !is_at_exit(t))
		error = dh_rpl_diverged(r, t, "did not end");
	if (error == 0)
		error = dh_rpl_writes(r, t, &e.writes);
	if (error == 0 && e.killed)
		error = dh_debug_dying(r, t, e.status);
	if (error < 0)
		return error;
	dh_debug_lift(r, t, DH_DEBUG_ALL);
	end_task(t);
	t->dead = true;
	return 0;
}
