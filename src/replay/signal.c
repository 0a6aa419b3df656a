/* Signals: what their delivery did is done again; and the other ways in which the program's code is
 * interrupted. */
#include "replay/debug.h"
#include "replay/replayer.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include "isa/insn.h"
#include "isa/random.h"
#include "wire/landing.h"

/* The kernel gives a handler a fresh extended state. */
static int reset_xstate(struct dh_replay_task *t)
{
	uint8_t area[DH_XSTATE_MAX] = {0};
	const uint16_t control = 0x37f;
	const uint32_t mxcsr = 0x1f80;
	int n = dh_tracee_get_xstate(&t->t, area, sizeof(area));

	if (n < 0)
		return n;
	/* Nothing in use; the software bytes (464..511) and the layout stay as they are. */
	memset(area, 0, 464);
	memset(area + 512, 0, DH_MIN((size_t)n, sizeof(area)) - 512);
	memcpy(area, &control, sizeof(control));
	memcpy(area + 24, &mxcsr, sizeof(mxcsr));
	return dh_tracee_set_xstate(&t->t, area, (size_t)n);
}

/* As the kernel does it: the rest of the action stays, and the program can ask for it. */
static int reset_action(struct dh_replay *r, struct dh_replay_task *t, int sig)
{
	const uint64_t none = 0; /* SIG_DFL */
	int e = dh_run_inject(
		r, t, NULL, SYS_rt_sigaction, (uint64_t)sig, 0, DH_LANDING_SCRATCH, 8, 0, 0);

	if (e < 0)
		return e;
	dh_tracee_write(&t->t, DH_LANDING_SCRATCH, &none, sizeof(none));
	return dh_run_inject(
		r, t, NULL, SYS_rt_sigaction, (uint64_t)sig, DH_LANDING_SCRATCH, 0, 8, 0, 0);
}

static int enter_handler(
	struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_signal *e)
{
	struct dh_regs regs = e->regs;
	int error = 0;

	if (e->reset)
		error = reset_action(r, t, e->sig);
	if (error < 0)
		return error;
	dh_regs_finish_syscall(&regs, dh_regs_result(&regs));
	if (dh_tracee_write(&t->t, e->frame, e->frame_data, e->frame_len) < 0 ||
		reset_xstate(t) < 0 || dh_tracee_set_regs(&t->t, &regs) < 0 ||
		dh_tracee_set_sigmask(&t->t, e->mask) < 0)
		return dh_rpl_diverged(r, t, "cannot enter the handler of %s", strsignal(e->sig));
	t->at = AT_USER;
	return 0;
}

/* To the next thing that stops the task by itself, which must find it in the recorded state. */
static int run_to_natural_stop(
	struct dh_replay *r, struct dh_replay_task *t, uint64_t hash, struct dh_stop *ret)
{
	struct dh_regs regs;
	int e = 0;

	*ret = (struct dh_stop){.kind = DH_STOP_SECCOMP};
	if (t->at != AT_ENTRY)
		e = dh_run_to_stop(r, t, ret);
	if (e < 0)
		return e;
	if (dh_tracee_get_regs(&t->t, &regs) < 0 || dh_regs_hash(&regs) != hash)
		return dh_rpl_diverged(r, t, "stopped with other registers");
	return 0;
}

int dh_play_signal(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_ev_signal e;
	struct dh_stop stop;
	int error = 0;

	if (dh_ev_get_signal(&r->ev, &e) < 0 || e.sig < 1 || e.sig > 64)
		return dh_rpl_damaged(r);
	switch (e.where) {
	case DH_AT_BOUNDARY:
		break;
	case DH_AT_ENTRY:
	case DH_AT_STOP:
		error = run_to_natural_stop(r, t, e.entry_hash, &stop);
		break;
	case DH_AT_FAULT:
		error = run_to_natural_stop(r, t, e.entry_hash, &stop);
		if (error == 0 && (stop.kind != DH_STOP_SIGNAL || stop.code != e.sig))
			error = dh_rpl_diverged(r, t, "did not raise %s", strsignal(e.sig));
		break;
	case DH_AT_POINT:
		error = dh_seek_point(r, t, &e.point);
		break;
	}
	if (error == 0)
		error = dh_debug_signal(r, t, &e);
	return error < 0 ? error : enter_handler(r, t, &e);
}

int dh_play_preempt(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_ev_preempt e;
	struct dh_stop stop;
	int error;

	if (dh_ev_get_preempt(&r->ev, &e) < 0)
		return dh_rpl_damaged(r);
	if (e.where == DH_AT_POINT)
		return dh_seek_point(r, t, &e.point);
	error = run_to_natural_stop(r, t, e.entry_hash, &stop);
	return error < 0 ? error : dh_play_buffer_rewind(r, t);
}

int dh_play_tsc(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_regs regs;
	struct dh_stop stop;
	struct dh_ev_tsc e;
	int error;

	if (dh_ev_get_tsc(&r->ev, &e) < 0)
		return dh_rpl_damaged(r);
	error = run_to_natural_stop(r, t, e.entry_hash, &stop);
	if (error < 0)
		return error;
	if (stop.kind != DH_STOP_SIGNAL || dh_tracee_get_regs(&t->t, &regs) < 0)
		return dh_rpl_diverged(r, t, "did not read the time stamp counter");
	dh_regs_finish_tsc(&regs, e.tsc, e.aux, e.length);
	dh_tracee_set_regs(&t->t, &regs);
	return 0;
}

int dh_play_random(struct dh_replay *r, struct dh_replay_task *t)
{
	uint8_t code[DH_INSN_MAX_LENGTH];
	struct dh_ev_random e;
	struct dh_regs regs;
	struct dh_stop stop;
	uint64_t at;
	ssize_t n;
	int error;

	if (dh_ev_get_random(&r->ev, &e) < 0)
		return dh_rpl_damaged(r);
	error = run_to_natural_stop(r, t, e.entry_hash, &stop);
	if (error < 0)
		return error;
	if (stop.kind != DH_STOP_SIGNAL || stop.code != SIGTRAP ||
		dh_tracee_get_regs(&t->t, &regs) < 0)
		return dh_rpl_diverged(r, t, "did not draw a random number");
	at = dh_regs_pc(&regs) - 1;
	n = dh_tracee_read_some(&t->t, at, code, sizeof(code));
	code[0] = e.first;
	dh_regs_set_pc(&regs, at);
	if (n <= 0 || !dh_random_finish(&regs, code, (size_t)n, e.value))
		return dh_rpl_diverged(r, t, "has other code at 0x%" PRIx64, at);
	dh_tracee_set_regs(&t->t, &regs);
	return 0;
}
