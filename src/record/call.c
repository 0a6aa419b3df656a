/* System calls: their entry, their exit, and what is logged of them. */
#include "record/recorder.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "proc/frame.h"
#include "record/buffer.h"
#include "record/describe.h"
#include "record/notes.h"
#include "trace/writer.h"

#define RANGES_MAX 4096
/* Saved behind the pointer of a request that the table does not know. */
#define UNKNOWN_BYTES 1024

int dh_call_read(void *cookie, uint64_t addr, void *p, size_t n)
{
	return dh_tracee_read(cookie, addr, p, n);
}

struct dh_sys_call dh_call_of(struct task *t, int64_t result)
{
	struct dh_sys_call c = {
		.nr = t->nr, .result = result, .read = dh_call_read, .cookie = &t->t};

	for (int i = 0; i < 6; i++)
		c.arg[i] = dh_regs_arg(&t->entry, i);
	return c;
}

/* Calls that the replay performs as well, beside forcing the recorded result. */
static unsigned execute_flag(const struct dh_sys_call *c)
{
	enum dh_sys_class class = dh_sysmodel_class(c);

	if (class == DH_SYS_RERUN || (class == DH_SYS_MEMORY && c->result >= 0))
		return DH_EV_EXECUTE;
	switch (c->nr) {
	case SYS_set_tid_address:
		return DH_EV_EXECUTE;
	case SYS_setrlimit: /* decides how far the stack may grow */
		return c->arg[0] == RLIMIT_STACK ? DH_EV_EXECUTE : 0;
	case SYS_prlimit64:
		return c->arg[1] == RLIMIT_STACK && c->arg[2] && c->arg[0] == 0 ? DH_EV_EXECUTE : 0;
	default:
		return 0;
	}
}

/* The kernel marks the word of a priority-inheriting lock while a task waits for it. */
static bool locks_by_kernel(const struct task *t)
{
	int op = (int)dh_regs_arg(&t->entry, 1) & FUTEX_CMD_MASK;

	return t->nr == SYS_futex &&
	       (op == FUTEX_LOCK_PI || op == FUTEX_LOCK_PI2 || op == FUTEX_WAIT_REQUEUE_PI);
}

static void log_lock_word(struct recorder *r, struct task *t)
{
	uint64_t addr = dh_regs_arg(&t->entry, 0);
	uint32_t word;

	if (!dh_task_settles(t->process->pid, t->t.tid) ||
		dh_tracee_read(&t->t, addr, &word, sizeof(word)) < 0)
		return;
	dh_buf_clear(&r->writes);
	dh_ev_put_write(&r->writes, addr, &word, sizeof(word));
	dh_ev_put_writes(&r->payload, &r->writes, 1);
	dh_rec_log(r, t, DH_EV_WRITE);
}

void dh_call_log_enter(struct recorder *r, struct task *t)
{
	struct dh_ev_enter e = {.nr = t->nr, .entry_hash = t->entry_hash, .digest = t->digest};

	if (t->entered)
		return;
	t->entered = true;
	t->digest = 0;
	dh_ev_put_enter(&r->payload, &e);
	dh_rec_log(r, t, DH_EV_ENTER);
}

static void enter_waiting(struct recorder *r, struct task *t)
{
	dh_call_log_enter(r, t);
	t->state = TASK_WAITING;
	dh_rec_resume(r, t, DH_RESUME_SYSCALL, 0);
	if (locks_by_kernel(t))
		log_lock_word(r, t);
	dh_turn_release(r, t);
}

static void note_entry(struct task *t, const struct dh_regs *regs)
{
	struct dh_sys_call c;

	if (!t->in_call)
		t->entered = false;
	t->in_call = true;
	t->entry = *regs;
	t->entry_hash = dh_regs_hash(regs);
	t->nr = dh_regs_syscall(regs);
	t->may_stay = false;
	t->buffered = false;
	c = dh_call_of(t, 0);
	t->digest = dh_sysmodel_class(&c) == DH_SYS_RECORD ? dh_sysmodel_digest(&c) : 0;
}

void dh_call_found(struct recorder *r, struct task *t)
{
	struct dh_regs regs;

	if (t->stop.kind == DH_STOP_SECCOMP && !t->in_call &&
		dh_tracee_get_regs(&t->t, &regs) == 0) {
		note_entry(t, &regs);
		dh_call_log_enter(r, t);
	} else if (t->stop.kind == DH_STOP_SYSCALL) {
		dh_call_log_enter(r, t);
	}
}

/* What the buffer has must be logged before exec throws it away. */
static void begin_process_call(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	bool ends = t->nr == SYS_exit || t->nr == SYS_exit_group;

	if (t->process->executed && (t->nr == SYS_execve || t->nr == SYS_execveat))
		dh_call_log_enter(r, t);
	if (ends)
		dh_describe_exit(r, t, c);
	else
		dh_notes_busy(r, t, c);
	dh_rec_resume(r, t, ends ? DH_RESUME_CONT : DH_RESUME_SYSCALL, 0);
}

void dh_call_entry(struct recorder *r, struct task *t)
{
	struct dh_sys_call c;
	struct dh_regs regs;
	bool again = t->interrupted && !t->reenters;
	unsigned flags;
	int error;

	if (dh_tracee_get_regs(&t->t, &regs) < 0)
		return;
	if (dh_buffer_flush(r, t, &regs)) {
		dh_rec_resume(r, t, DH_RESUME_CONT, 0);
		return;
	}
	t->at_boundary = false;
	if (t->reenters)
		t->reenters = t->interrupted = false;
	if (again) { /* the kernel performs the interrupted call again */
		t->interrupted = false;
		if (t->group->n_tasks > 1 && r->echoing != t)
			enter_waiting(r, t);
		else
			dh_rec_resume(r, t, DH_RESUME_SYSCALL, 0);
		return;
	}
	if (!dh_gate_is_open(r)) /* what is not logged yet comes before what is asked now */
		dh_buffer_before_event(r, t);
	note_entry(t, &regs);
	if (t->n_held)
		dh_signal_requeue(t);
	c = dh_call_of(t, 0);
	if (!t->process->executed && t->nr != SYS_execve) {
		dh_rec_resume(r, t, DH_RESUME_CONT, 0); /* our own child before its exec */
		return;
	}
	dh_describe_entry(r, t, &c);
	if (dh_rules_forbid(r, t, &c) || dh_gate_holds(r, t))
		return;
	error = dh_gate_refuses(r, t);
	if (error) {
		dh_call_answer(r, t, -error);
		return;
	}
	switch (dh_sysmodel_class(&c)) {
	case DH_SYS_REFUSE:
		dh_call_refuse(r, t, &c);
		return;
	case DH_SYS_PROCESS:
		if (dh_call_escapes(t))
			dh_call_refuse_escape(r, t);
		else
			begin_process_call(r, t, &c);
		return;
	default:
		break;
	}
	if (dh_call_answered(r, t, &c))
		return;
	flags = dh_sysmodel_flags(&c);
	dh_checkpoint_entry(r, t, flags);
	dh_notes_busy(r, t, &c);
	if ((flags & DH_SYS_WRITES) && dh_echo_of(r, t, (int)c.arg[0]))
		dh_echo_begin(r, t);
	else if (t->group->n_tasks > 1 && (flags & DH_SYS_BLOCKS))
		enter_waiting(r, t);
	else
		dh_rec_resume(r, t, DH_RESUME_SYSCALL, 0);
}

static void save_range(struct recorder *r, struct task *t, uint64_t addr, uint64_t len, uint64_t *n)
{
	ssize_t got;

	dh_buf_clear(&r->scratch);
	got = dh_tracee_read_some(&t->t, addr, dh_buf_reserve(&r->scratch, len), len);
	if (got <= 0)
		return;
	dh_ev_put_write(&r->writes, addr, r->scratch.data, (uint64_t)got);
	(*n)++;
}

static uint64_t save_outputs(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	static struct dh_sys_range ranges[RANGES_MAX];
	uint64_t n = 0;
	int count = dh_sysmodel_outputs(c, ranges, RANGES_MAX);

	dh_buf_clear(&r->writes);
	if (count == -ENOTSUP && c->result >= 0 && c->nr != SYS_restart_syscall) {
		int arg = c->nr == SYS_ioctl ? 2 : 1;

		/* Saving more than the kernel wrote is harmless: the rest is what the program
		 * has there anyway. */
		save_range(r, t, c->arg[arg], UNKNOWN_BYTES, &n);
		return n;
	}
	if (count == -E2BIG)
		dh_rec_fail(r, E2BIG, "system call %s wrote to too many places",
			dh_sysmodel_find(c->nr)->name);
	for (int i = 0; i < count; i++)
		save_range(r, t, ranges[i].addr, ranges[i].len, &n);
	return n;
}

/* The program sees what it would without the recorder: all processors that it may use, and a time
 * stamp counter that is trapped only if it has said so. */
static void show_as_alone(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	const int mode = t->tsc_traps ? PR_TSC_SIGSEGV : PR_TSC_ENABLE;

	if (c->nr == SYS_sched_getaffinity && c->result > 0)
		dh_tracee_write(
			&t->t, c->arg[2], &r->cpus, DH_MIN((size_t)c->result, sizeof(r->cpus)));
	else if (c->nr == SYS_prctl && (int)c->arg[0] == PR_GET_TSC && c->result == 0)
		dh_tracee_write(&t->t, c->arg[1], &mode, sizeof(mode));
}

static void log_call(struct recorder *r, struct task *t, int64_t result)
{
	struct dh_sys_call c = dh_call_of(t, result);
	struct dh_ev_syscall e = {
		.nr = t->nr, .entry_hash = t->entry_hash, .digest = t->digest, .result = result};
	bool sends = (dh_sysmodel_flags(&c) & DH_SYS_WRITES) && result > 0;
	struct dh_sys_range own;
	uint64_t n;

	show_as_alone(r, t, &c);
	dh_checkpoint_exit(r, t, result);
	e.flags = execute_flag(&c);
	if (sends)
		e.flags |= dh_echo_of(r, t, (int)c.arg[0]);
	dh_echo_forget(t->process, t->nr, &c);
	if (r->shared.n)
		dh_files_changed(r, t, &c);
	n = save_outputs(r, t, &c);
	if (sends && dh_echo_is_memory(r, t, (int)c.arg[0]) &&
		dh_files_wrote_memory(r, t, &c, &own))
		save_range(r, t, own.addr, own.len, &n);
	dh_ev_put_syscall(&r->payload, &e, &r->writes, n);
	dh_rec_log(r, t, DH_EV_SYSCALL);
}

/* Under ptrace a signal that the program ignores still ends some calls with EINTR, which it would
 * not have seen alone: perform them again. */
static bool spurious_interrupt(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	if (dh_regs_result(regs) != -EINTR || dh_signal_caught_pending(t))
		return false;
	t->interrupted = true;
	dh_buffer_restart(t, regs);
	dh_regs_restart_syscall(regs, t->nr);
	dh_tracee_set_regs(&t->t, regs);
	dh_rec_resume(r, t, DH_RESUME_CONT, 0);
	return true;
}

/* An interrupted call may have written already: the time that remains, results so far. */
static void log_partial(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	uint64_t n = save_outputs(r, t, c);

	if (!n)
		return;
	/* Over what the call reads, perhaps, which is compared before that. */
	if (t->digest)
		dh_call_log_enter(r, t);
	dh_ev_put_writes(&r->payload, &r->writes, n);
	dh_rec_log(r, t, DH_EV_WRITE);
}

static void finish(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	t->in_call = false;
	t->at_boundary = true;
	t->boundary = *regs;
	if (t->state == TASK_WAITING) {
		t->stop = (struct dh_stop){.kind = DH_STOP_INTERRUPT};
		if (!dh_turn_take(r, t))
			return;
	}
	if (!dh_turn_yield(r, t, t->nr == SYS_sched_yield))
		dh_rec_resume(r, t, DH_RESUME_CONT, 0);
}

/* What the kernel returns from a call that a signal interrupts before it has done anything. */
static bool is_restart(int64_t result)
{
	return result <= -512 && result >= -516;
}

/* What the program is to see instead of what the kernel gave. */
static int64_t feed(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	int64_t was = dh_regs_result(regs), result = dh_gate_feed(r, t, was);

	if (result != was) {
		dh_regs_set_result(regs, result);
		dh_tracee_set_regs(&t->t, regs);
	}
	return result;
}

void dh_call_exit(struct recorder *r, struct task *t)
{
	struct dh_sys_call c;
	struct dh_regs regs;
	int64_t result;

	if (dh_tracee_get_regs(&t->t, &regs) < 0)
		return;
	if (t->vfork_child) {
		t->deferred = true;
		return;
	}
	result = dh_regs_result(&regs);
	c = dh_call_of(t, result);
	/* The holder of the turn is in the kernel too and may have caused this: it has reached its
	 * entry before anything of this is seen. */
	if (t->state == TASK_WAITING && t->group->holder && t->group->holder->in_call)
		dh_call_log_enter(r, t->group->holder);
	if (is_restart(result)) { /* a signal comes next, then a restart or a handler */
		t->interrupted = true;
		log_partial(r, t, &c);
		dh_buffer_restart(t, &regs);
		dh_rec_resume(r, t, DH_RESUME_CONT, 0);
		return;
	}
	if (spurious_interrupt(r, t, &regs))
		return;
	if ((t->nr == SYS_execve || t->nr == SYS_execveat) && result == 0) {
		t->in_call = false;
		dh_describe_exit(r, t, &c);
		dh_gate_exit(r, t, 0);
		dh_image_exec_done(r, t, &regs);
		return;
	}
	if (!t->process->executed) { /* the program could not be executed */
		dh_rec_fail(r, (int)-result, "cannot run '%s': %s", r->opt->argv[0],
			strerror((int)-result));
		return;
	}
	if (dh_image_maps(t->nr)) {
		dh_image_map_done(r, t, &regs);
	} else {
		c.result = result = feed(r, t, &regs);
		log_call(r, t, result);
	}
	dh_describe_exit(r, t, &c);
	dh_gate_exit(r, t, result);
	dh_buffer_exit(r, t, &regs);
	dh_echo_end(r, t);
	finish(r, t, &regs);
}

void dh_call_killed(struct recorder *r, struct task *t)
{
	struct dh_sys_call c;
	struct dh_regs regs;

	if (!t->in_call || t->vfork_child || dh_tracee_get_regs(&t->t, &regs) < 0)
		return;
	/* A call that was not made, or was interrupted, has an error here. */
	c = dh_call_of(t, dh_regs_result(&regs));
	if (c.result <= 0 || !(dh_sysmodel_flags(&c) & DH_SYS_WRITES))
		return;
	log_call(r, t, c.result);
	dh_describe_exit(r, t, &c);
	dh_gate_exit(r, t, c.result);
	t->in_call = false;
}

/* Tells of the end of a call that a handler interrupts. */
static void cut_short(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	dh_describe_exit(r, t, c);
	if (!t->buffered)
		dh_gate_exit(r, t, c->result);
	else if (t->about && !t->silent)
		dh_gate_passed(r, t, &t->about->call);
}

void dh_call_handled(struct recorder *r, struct task *t, uint64_t frame)
{
	struct dh_sys_call c = dh_call_of(t, -EINTR);
	struct dh_regs back;

	if (!t->interrupted || t->reenters || dh_frame_get(&t->t, frame, &back) < 0 ||
		dh_regs_result(&back) != -EINTR)
		return;
	cut_short(r, t, &c);
}

void dh_call_interrupted(struct recorder *r, struct task *t, struct dh_regs *regs, int64_t result)
{
	const struct dh_patch *p = dh_buffer_patch_at(t, dh_regs_pc(regs));
	int64_t nr = dh_regs_next_syscall(regs);
	struct dh_sys_call c;

	if (!p)
		return;
	dh_patch_enter(p, regs);
	dh_regs_change_syscall(regs, nr);
	note_entry(t, regs);
	t->buffered = true;
	t->digest = 0; /* the kernel may have written over what it read */
	t->at_boundary = false;
	dh_regs_set_result(regs, result);
	dh_tracee_set_regs(&t->t, regs);
	c = dh_call_of(t, result);
	dh_describe_entry(r, t, &c);
	if (is_restart(result)) {
		t->interrupted = true;
		log_partial(r, t, &c);
		return;
	}
	log_call(r, t, result);
	cut_short(r, t, &c);
	t->in_call = false;
	t->at_boundary = true;
	t->boundary = *regs;
}
