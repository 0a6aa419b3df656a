/* Running the program's own code between two events. */
#include "replay/debug.h"
#include "replay/patience.h"
#include "replay/replayer.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

static bool is_fault(struct dh_replay_task *t, int sig)
{
	siginfo_t si;

	switch (sig) {
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGTRAP:
	case SIGSYS:
		return dh_tracee_get_siginfo(&t->t, &si) == 0 && si.si_code > 0;
	default:
		return false;
	}
}

static int lose_patience(struct dh_replay *r, struct dh_replay_task *t)
{
	double seconds;

	if (!r->patience || !dh_patience_over(r->patience, &seconds))
		return 0;
	return dh_rpl_diverged(r, t,
		"did not come to the recorded point in %.0f s, far longer than in the recording",
		seconds);
}

int dh_run_to_stop(struct dh_replay *r, struct dh_replay_task *t, struct dh_stop *ret)
{
	int e;

	if (t->at == AT_ENTRY)
		return dh_rpl_diverged(r, t, "a system call has no result in the recording");
	for (;;) {
		e = dh_debug_run(r, t);
		if (e == -ECANCELED || e == -EAGAIN)
			return e;
		if (e == 0)
			e = dh_tracee_wait(&t->t, ret);
		if (e < 0)
			return dh_rpl_diverged(r, t, "the process is gone");
		e = dh_debug_stopped(r, t, ret);
		if (e < 0)
			return e;
		if (e > 0)
			continue;
		switch (ret->kind) {
		case DH_STOP_SECCOMP:
			e = dh_play_buffer_serve(r, t);
			if (e < 0)
				return e;
			if (e > 0)
				break;
			t->at = AT_ENTRY;
			return 0;
		case DH_STOP_EXITED:
		case DH_STOP_EXITING:
			return dh_rpl_diverged(r, t, "the process was killed");
		case DH_STOP_SIGNAL:
			if (is_fault(t, ret->code))
				return 0;
			break; /* real signals mean nothing to a replayed program */
		case DH_STOP_INTERRUPT:
			e = lose_patience(r, t);
			if (e < 0)
				return e;
			break;
		default:
			break;
		}
	}
}

static int unexpected_fault(struct dh_replay *r, struct dh_replay_task *t, int sig)
{
	struct dh_regs regs = {0};
	siginfo_t si = {0};

	dh_tracee_get_regs(&t->t, &regs);
	dh_tracee_get_siginfo(&t->t, &si);
	return dh_rpl_diverged(r, t,
		"raised %s at 0x%" PRIx64 " (address %p), which is not recorded", strsignal(sig),
		dh_regs_pc(&regs), si.si_addr);
}

struct reader {
	struct dh_replay *r;
	struct dh_replay_task *t;
};

static int read_memory(void *cookie, uint64_t addr, void *p, size_t n)
{
	const struct reader *by = cookie;

	dh_debug_lift(by->r, by->t, addr, n);
	return dh_tracee_read(&by->t->t, addr, p, n);
}

/* What the call is about to tell the kernel, and with it the world, must be what it told it. */
static int check_data(
	struct dh_replay *r, struct dh_replay_task *t, const struct dh_regs *regs, uint32_t digest)
{
	struct reader by = {r, t};
	struct dh_sys_call c = {.nr = dh_regs_syscall(regs), .read = read_memory, .cookie = &by};
	const struct dh_sys_desc *d = dh_sysmodel_find(c.nr);

	if (!digest)
		return 0;
	for (int i = 0; i < 6; i++)
		c.arg[i] = dh_regs_arg(regs, i);
	if (dh_sysmodel_digest(&c) == digest)
		return 0;
	return dh_rpl_diverged(r, t, "made system call %s with other data", d ? d->name : "?");
}

int dh_run_to_entry(
	struct dh_replay *r, struct dh_replay_task *t, int64_t nr, uint64_t hash, uint32_t digest)
{
	const struct dh_sys_desc *want, *got;
	struct dh_regs regs;
	struct dh_stop stop;
	int e;

	if (t->at != AT_ENTRY) {
		e = dh_run_to_stop(r, t, &stop);
		if (e < 0)
			return e;
		if (stop.kind != DH_STOP_SECCOMP)
			return unexpected_fault(r, t, stop.code);
	}
	e = dh_tracee_get_regs(&t->t, &regs);
	if (e < 0)
		return dh_rpl_diverged(r, t, "the process is gone");
	e = dh_play_buffer_check(r, t, &regs);
	if (e < 0)
		return e;
	if (dh_regs_syscall(&regs) != nr) {
		want = dh_sysmodel_find(nr);
		got = dh_sysmodel_find(dh_regs_syscall(&regs));
		return dh_rpl_diverged(r, t, "made system call %s where %s was recorded",
			got ? got->name : "?", want ? want->name : "?");
	}
	if (dh_regs_hash(&regs) != hash) {
		want = dh_sysmodel_find(nr);
		return dh_rpl_diverged(
			r, t, "made system call %s with other registers", want ? want->name : "?");
	}
	return check_data(r, t, &regs, digest);
}

int dh_run_inject(struct dh_replay *r, struct dh_replay_task *t, int64_t *ret, int64_t nr,
	uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5)
{
	const struct dh_sys_desc *d = dh_sysmodel_find(nr);
	int64_t result = 0;
	int e = dh_tracee_syscall(&t->t, &result, nr, a0, a1, a2, a3, a4, a5);

	if (e < 0)
		return dh_rpl_diverged(r, t, "the process is gone");
	if (result < 0 && result >= -4095)
		return dh_rpl_diverged(
			r, t, "cannot repeat %s: %s", d ? d->name : "?", strerror((int)-result));
	if (ret)
		*ret = result;
	return 0;
}
