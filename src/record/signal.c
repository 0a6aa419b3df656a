/* Signals: where they strike, and the entry into a handler.
 * The replay does not deliver signals, it reproduces what delivery did: the frame on the stack, the
 * registers and the mask at the handler's first instruction are logged. */
#include "record/recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/fd.h"
#include "proc/tsc.h"
#include "record/buffer.h"
#include "record/point.h"

#define FRAME_MAX   65536u
#define RED_ZONE    128u
#define STATUS_SIZE 8192

struct sigs {
	uint64_t pending, blocked, caught, ignored;
};

static uint64_t mask_field(const char *text, const char *name)
{
	const char *at = strstr(text, name);
	uint64_t v = 0;

	if (at)
		sscanf(at + strlen(name), " %" SCNx64, &v);
	return v;
}

static struct sigs read_sigs(pid_t tid)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	if (dh_read_file(path, STATUS_SIZE, &text, NULL) < 0)
		return (struct sigs){0};
	return (struct sigs){
		.pending = mask_field(text.data, "\nSigPnd:") | mask_field(text.data, "\nShdPnd:"),
		.blocked = mask_field(text.data, "\nSigBlk:"),
		.caught = mask_field(text.data, "\nSigCgt:"),
		.ignored = mask_field(text.data, "\nSigIgn:"),
	};
}

uint64_t dh_signal_caught_pending(struct task *t)
{
	struct sigs s = read_sigs(t->t.tid);

	return s.pending & s.caught;
}

uint64_t dh_signal_ignored(pid_t tid)
{
	return read_sigs(tid).ignored;
}

bool dh_signal_is_caught(struct task *t, int sig)
{
	return read_sigs(t->t.tid).caught & 1ull << (sig - 1);
}

/* Ends the process, unless it is caught. */
static bool is_fatal(struct task *t, int sig)
{
	switch (sig) {
	case SIGCHLD:
	case SIGURG:
	case SIGWINCH:
	case SIGCONT:
	case SIGSTOP:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
		return false;
	default:
		return !(read_sigs(t->t.tid).ignored & 1ull << (sig - 1));
	}
}

static bool is_fault(int sig, const siginfo_t *si)
{
	switch (sig) {
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGTRAP:
	case SIGSYS:
		return si->si_code > 0 && si->si_code != SI_USER;
	default:
		return false;
	}
}

/* Reading the time stamp counter faults, see image.c. */
static bool emulate_tsc(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	struct dh_ev_tsc e = {.entry_hash = dh_regs_hash(regs)};
	uint8_t code[3];

	if (dh_tracee_read_some(&t->t, dh_regs_pc(regs), code, sizeof(code)) < 2)
		return false;
	if (code[0] == 0x0f && code[1] == 0x31)
		e.length = 2;
	else if (memcmp(code, "\x0f\x01\xf9", 3) == 0)
		e.length = 3;
	else
		return false;
	e.tsc = dh_tsc_read(&e.aux);
	dh_regs_finish_tsc(regs, e.tsc, e.aux, e.length);
	dh_tracee_set_regs(&t->t, regs);
	dh_ev_put_tsc(&r->payload, &e);
	dh_rec_log(r, t, DH_EV_TSC);
	t->at_boundary = true;
	t->boundary = *regs;
	dh_rec_resume(r, t, DH_RESUME_CONT, 0);
	return true;
}

/* Where the frame ends: behind the saved extended state, whose place and size it contains. */
static uint64_t frame_size(struct task *t, uint64_t frame)
{
	struct {
		uint64_t ret;
		ucontext_t uc;
	} head;
	uint64_t fp, end;
	uint32_t size;

	if (dh_tracee_read(&t->t, frame, &head, offsetof(ucontext_t, uc_sigmask) + 8) < 0)
		return 0;
	fp = (uint64_t)(uintptr_t)head.uc.uc_mcontext.fpregs;
	end = frame + sizeof(uint64_t) + sizeof(ucontext_t) + sizeof(siginfo_t);
	/* sw_reserved of the fxsave area: magic, then the size of the whole state */
	if (fp > frame && dh_tracee_read(&t->t, fp + 464 + 4, &size, sizeof(size)) == 0 &&
		size < FRAME_MAX)
		end = fp + size;
	return end > frame && end - frame <= FRAME_MAX ? end - frame : 0;
}

static void log_handler(struct recorder *r, struct task *t, struct dh_ev_signal *e)
{
	dh_tracee_get_sigmask(&t->t, &e->mask);
	e->reset = !dh_signal_is_caught(t, e->sig);
	if (e->reset)
		t->process->actions[e->sig - 1][0] = 0; /* SIG_DFL; the rest stays */
	e->frame = dh_regs_sp(&e->regs);
	e->frame_len = frame_size(t, e->frame);
	dh_buf_clear(&r->scratch);
	e->frame_data = dh_buf_reserve(&r->scratch, e->frame_len);
	if (dh_tracee_read(&t->t, e->frame, r->scratch.data, e->frame_len) < 0)
		e->frame_len = 0;
	dh_ev_put_signal(&r->payload, e);
	dh_rec_log(r, t, DH_EV_SIGNAL);
	r->result->signals++;
	if (e->where == DH_AT_POINT)
		r->result->points++;
}

/* Delivers and stops at the handler's first instruction.  The task may die of it instead, or
 * receive another signal because there is no room for the frame. */
static void deliver(struct recorder *r, struct task *t, struct dh_ev_signal *e, const siginfo_t *si)
{
	struct dh_stop stop;

	dh_tracee_set_siginfo(&t->t, si);
	if (dh_tracee_resume(&t->t, DH_RESUME_STEP, e->sig) < 0 || dh_tracee_wait(&t->t, &stop) < 0)
		return;
	if (stop.kind != DH_STOP_SIGNAL || stop.code != SIGTRAP) {
		t->stop = stop;
		dh_rec_handle(r, t);
		return;
	}
	dh_tracee_get_regs(&t->t, &e->regs);
	dh_regs_clear_trap(&e->regs);
	dh_buffer_mend_frame(t, dh_regs_sp(&e->regs));
	log_handler(r, t, e);
	if (e->where == DH_AT_POINT)
		dh_buffer_unblocked(r, t, dh_regs_pc(&e->point.regs));
	dh_echo_end(r, t);
	dh_call_handled(r, t, e->frame);
	t->interrupted = t->reenters = false;
	t->in_call = false;
	t->at_boundary = true;
	t->boundary = e->regs;
	if (!dh_turn_yield(r, t, false))
		dh_rec_resume(r, t, DH_RESUME_CONT, 0);
}

static bool hold(struct recorder *r, struct task *t, const siginfo_t *si)
{
	/* Those that queue have an order, which holding them back would change. */
	if (dh_rec_now() >= t->hold_until || t->n_held == HELD_MAX || si->si_signo >= SIGRTMIN)
		return false;
	for (int i = 0; i < t->n_held; i++) {
		if (t->held[i].si_signo == si->si_signo)
			return true;
	}
	t->held[t->n_held++] = *si;
	dh_ticks_want(r);
	return true;
}

void dh_signal_requeue(struct task *t)
{
	t->hold_until = 0;
	for (int i = 0; i < t->n_held; i++)
		syscall(SYS_tgkill, t->process->pid, t->t.tid, t->held[i].si_signo);
}

/* A signal that we sent again carries our mark instead of its own information. */
static void take_held(struct task *t, siginfo_t *si)
{
	if (si->si_code != SI_TKILL || si->si_pid != getpid())
		return;
	for (int i = 0; i < t->n_held; i++) {
		if (t->held[i].si_signo != si->si_signo)
			continue;
		*si = t->held[i];
		t->n_held--;
		memmove(t->held + i, t->held + i + 1, (size_t)(t->n_held - i) * sizeof(t->held[0]));
		return;
	}
}

/* Whether nothing has run since the last event.  Calls that the buffer made may have led to the
 * same place again. */
static bool is_boundary(struct task *t, const struct dh_regs *regs)
{
	return t->at_boundary && dh_regs_equal(regs, &t->boundary) && !dh_buffer_has_more(t);
}

/* Out of the buffer's code, if the task is there.  <0: it did not come back. */
static int leave_buffer(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	int n = is_boundary(t, regs) ? 0 : dh_buffer_leave(r, t, regs);

	if (n > 0) {
		t->at_boundary = true;
		t->boundary = *regs;
	} else if (n == -ESRCH) {
		dh_rec_ended(r, t);
	}
	return n;
}

static void log_fault(struct recorder *r, struct task *t, const struct dh_regs *regs)
{
	struct dh_ev_preempt e = {.where = DH_AT_STOP, .entry_hash = dh_regs_hash(regs)};

	dh_ev_put_preempt(&r->payload, &e);
	dh_rec_log(r, t, DH_EV_PREEMPT);
}

/* A signal without handler: the kernel does with it what it does.  When that is the end, the place
 * is logged, so that a replay gets as far as the program did. */
static void pass_on(struct recorder *r, struct task *t, const struct dh_regs *regs, siginfo_t *si)
{
	int sig = t->stop.code;

	if (is_fault(sig, si)) {
		log_fault(r, t, regs);
	} else if (!t->in_call && is_fatal(t, sig)) {
		if (dh_signal_mark(r, t) == -ESRCH)
			return;
		dh_tracee_set_siginfo(&t->t, si);
	}
	dh_rec_resume(r, t, DH_RESUME_CONT, sig);
}

void dh_signal_stop(struct recorder *r, struct task *t)
{
	struct dh_ev_signal e = {.sig = t->stop.code};
	struct point point = POINT_INIT;
	double began = dh_rec_now();
	struct dh_regs regs;
	siginfo_t si;

	if (dh_tracee_get_regs(&t->t, &regs) < 0 || dh_tracee_get_siginfo(&t->t, &si) < 0)
		return;
	take_held(t, &si);
	if (e.sig == SIGSEGV && is_fault(e.sig, &si) && !t->tsc_traps && emulate_tsc(r, t, &regs))
		return;
	if (e.sig == SIGTRAP && is_fault(e.sig, &si) && dh_random_draw(r, t, &regs))
		return;
	if (is_fault(e.sig, &si) && dh_buffer_bail(r, t, &regs)) {
		dh_rec_resume(r, t, DH_RESUME_CONT, 0);
		return;
	}
	if (!dh_signal_is_caught(t, e.sig)) {
		pass_on(r, t, &regs, &si);
		return;
	}
	if (!t->interrupted && !is_fault(e.sig, &si)) {
		int64_t result = dh_buffer_interruption(t, &regs);
		int n = leave_buffer(r, t, &regs);

		if (n < 0)
			return;
		if (n == 0 && result)
			dh_call_interrupted(r, t, &regs, result);
	}
	if (t->interrupted) {
		e.where = DH_AT_ENTRY;
		e.entry_hash = t->entry_hash;
	} else if (is_boundary(t, &regs)) {
		e.where = DH_AT_BOUNDARY;
	} else if (is_fault(e.sig, &si)) {
		e.where = DH_AT_FAULT;
		e.entry_hash = dh_regs_hash(&regs);
	} else if (hold(r, t, &si)) {
		dh_rec_resume(r, t, DH_RESUME_CONT, 0);
		return;
	} else {
		int error = dh_point_find(r, t, &point);

		if (error < 0) {
			dh_point_release(&point);
			if (error != -ESRCH)
				dh_rec_fail(r, -error, "no replayable point for %s in process %d",
					strsignal(e.sig), t->t.tid);
			return;
		}
		e.where = point.where;
		e.entry_hash = point.hash;
		e.point = point.ev;
	}
	if (e.where == DH_AT_POINT)
		t->hold_until = 2 * dh_rec_now() - began;
	deliver(r, t, &e, &si);
	dh_point_release(&point);
}

int dh_signal_mark(struct recorder *r, struct task *t)
{
	struct dh_ev_preempt e = {0};
	struct point point = POINT_INIT;
	struct dh_regs regs;
	int error;

	if (dh_tracee_get_regs(&t->t, &regs) < 0)
		return -ESRCH;
	error = leave_buffer(r, t, &regs);
	if (error < 0)
		return error;
	if (is_boundary(t, &regs))
		return 0;
	error = dh_point_find(r, t, &point);
	if (error == 0) {
		e.where = point.where;
		e.entry_hash = point.hash;
		e.point = point.ev;
		if (e.where != DH_AT_BOUNDARY) {
			dh_ev_put_preempt(&r->payload, &e);
			dh_rec_log(r, t, DH_EV_PREEMPT);
		}
		r->result->preemptions++;
		/* A loop may come back to a point with the same registers, but not past a stop. */
		t->at_boundary = point.where != DH_AT_POINT;
		dh_tracee_get_regs(&t->t, &t->boundary);
		dh_regs_clear_trap(&t->boundary);
	}
	dh_point_release(&point);
	return error;
}

void dh_signal_preempt(struct recorder *r, struct task *t)
{
	int error = dh_signal_mark(r, t);

	if (error == -ESRCH)
		return;
	/* Without a point (or anybody waiting) the task simply keeps the turn. */
	if (error < 0 || !dh_turn_yield(r, t, true))
		dh_rec_resume(r, t, DH_RESUME_CONT, 0);
}
