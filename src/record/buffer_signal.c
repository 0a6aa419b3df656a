/* Signals and preemption that strike inside the buffer, or a call that was made from one of its
 * trampolines: the program must not see those places. */
#include "record/buffer.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "proc/frame.h"
#include "wire/buffer.h"

const struct dh_patch *dh_buffer_patch_at(struct task *t, uint64_t pc)
{
	struct space *s = dh_space_of(t);

	return s && s->active ? dh_patches_at(&s->patches, pc) : NULL;
}

bool dh_buffer_is_behind(struct task *t, uint64_t pc)
{
	const struct dh_patch *p;

	for (unsigned n = DH_PATCH_MIN; n <= DH_PATCH_MAX; n++) {
		p = dh_buffer_patch_at(t, pc - n);
		if (p && dh_patch_length(p) == n)
			return true;
	}
	return false;
}

static bool is_inside(uint64_t pc)
{
	return pc >= DH_LANDING_CODE && pc < DH_LANDING_DATA;
}

/* Behind the call in the trampoline: what is left of it is done by hand. */
static void finish_trampoline(const struct dh_patch *p, struct dh_regs *regs)
{
	if (dh_regs_pc(regs) == dh_patch_trampoline_end(p))
		dh_patch_finish(p, regs);
	else
		dh_regs_set_pc(regs, p->start + dh_patch_length(p));
}

bool dh_buffer_bail(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	const uint64_t none = 0;
	const uint32_t zero = 0;
	uint32_t probing = 0;

	if (!dh_space_of(t) || !dh_space_of(t)->active || dh_regs_pc(regs) < DH_LANDING_CODE ||
		dh_regs_pc(regs) >= DH_LANDING_TRAMPOLINES)
		return false;
	dh_area_get(t, probing, &probing);
	if (!probing) {
		dh_rec_fail(r, EFAULT,
			"the buffer failed in process %d (%s at 0x%" PRIx64 "); try --no-buffer",
			t->t.tid, strsignal(t->stop.code), dh_regs_pc(regs));
		return true;
	}
	/* The kernel shall tell the program about its pointer. */
	dh_area_set(t, probing, &zero);
	dh_area_set(t, inside, &none);
	dh_regs_set_pc(regs, DH_BUFFER_BAIL);
	dh_tracee_set_regs(&t->t, regs);
	return true;
}

/* Resumes and waits.  A stop that was asked for to take the turn is asked for again later. */
static int resume(struct task *t, enum dh_resume how, struct dh_stop *ret)
{
	int e = dh_tracee_resume(&t->t, how, 0);

	if (e == 0)
		e = dh_tracee_wait(&t->t, ret);
	if (e < 0)
		return e;
	if (ret->kind == DH_STOP_EXITED || ret->kind == DH_STOP_EXITING) {
		t->stop = *ret;
		return -ESRCH;
	}
	if (ret->kind == DH_STOP_INTERRUPT)
		t->preempt_asked = false;
	return 0;
}

/* The next stop that matters.  The ring may be full on the way. */
static int run_to_trap(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	struct dh_stop stop;
	int e;

	for (;;) {
		e = resume(t, DH_RESUME_CONT, &stop);
		if (e == 0)
			e = dh_tracee_get_regs(&t->t, regs);
		if (e < 0)
			return e;
		if (stop.kind == DH_STOP_SIGNAL && (stop.code == SIGSEGV || stop.code == SIGBUS)) {
			dh_buffer_bail(r, t, regs);
			if (r->failed)
				return -EFAULT;
		}
		if (stop.kind != DH_STOP_SECCOMP)
			continue;
		if (dh_regs_pc(regs) == DH_BUFFER_TRAP_END)
			return 0;
		dh_buffer_flush(r, t, regs);
	}
}

static int step(struct task *t, struct dh_regs *regs)
{
	struct dh_stop stop;
	int e;

	do
		e = resume(t, DH_RESUME_STEP, &stop);
	while (e == 0 && stop.kind == DH_STOP_INTERRUPT);
	if (e == 0)
		e = dh_tracee_get_regs(&t->t, regs);
	if (e == 0)
		dh_regs_clear_trap(regs);
	return e;
}

/* Lets the code finish what it does, and takes over where it would go back to the trampoline.
 * 1: the call is done; 0: it has not been made. */
static int run_out(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	const uint32_t one = 1, zero = 0;
	const struct dh_patch *p;
	uint64_t target, result;
	int e = dh_area_set(t, trap, &one);

	if (e == 0)
		e = run_to_trap(r, t, regs);
	if (e < 0)
		return e;
	dh_area_set(t, trap, &zero);
	if (dh_area_get(t, target, &target) < 0 || dh_area_get(t, result, &result) < 0)
		return -EFAULT;
	p = dh_patches_trampoline(&dh_space_of(t)->patches, target);
	if (!p)
		return -EFAULT;
	dh_regs_finish_syscall(regs, (int64_t)result);
	dh_regs_set_call_end(regs, dh_patch_trampoline_end(p));
	if (target == dh_patch_trampoline_end(p))
		dh_patch_finish(p, regs);
	else
		dh_patch_begin(p, regs);
	dh_tracee_set_regs(&t->t, regs);
	/* From the entry of a call that is given up a step leads to its exit, and no further: a
	 * stop at which a signal can be delivered. */
	e = step(t, regs);
	return e < 0 ? e : target == dh_patch_trampoline_end(p);
}

static bool is_interruption(int64_t result)
{
	return result == -EINTR || (result <= -512 && result >= -516);
}

int64_t dh_buffer_interruption(struct task *t, const struct dh_regs *regs)
{
	struct space *s = dh_space_of(t);

	return s && s->active && dh_regs_pc(regs) == DH_BUFFER_WAIT_END &&
			       is_interruption(dh_regs_result(regs))
		       ? dh_regs_result(regs)
		       : 0;
}

/* A wait that was interrupted is not to go on, one that has not begun is not to begin. */
static void end_wait(struct task *t, struct dh_regs *regs)
{
	if (dh_buffer_interruption(t, regs))
		dh_regs_finish_syscall(regs, -EINTR);
	else if (dh_regs_pc(regs) >= DH_BUFFER_WAIT && dh_regs_pc(regs) < DH_BUFFER_WAIT_END)
		dh_regs_set_pc(regs, DH_BUFFER_WAIT);
	else
		return;
	dh_tracee_set_regs(&t->t, regs);
}

/* The way out is a matter of some loads, which are done by hand. */
static int finish_leaving(struct task *t, struct dh_regs *regs)
{
	struct dh_buffer_frame f;
	uint64_t sp;

	if (dh_regs_pc(regs) < DH_BUFFER_LEAVING || dh_regs_pc(regs) >= DH_BUFFER_LEFT)
		return 0;
	if (dh_area_read(t, DH_AREA_FRAME, &f, sizeof(f)) < 0 || dh_area_get(t, sp, &sp) < 0)
		return -EFAULT;
	dh_regs_set_result(regs, (int64_t)f.rax);
	for (int i = 0; i < 6; i++)
		dh_regs_set_arg(regs, i, f.arg[i]);
	dh_regs_set_sp(regs, sp);
	dh_regs_set_flags(regs, f.flags);
	dh_regs_set_call_end(regs, f.target);
	return 0;
}

static int leave(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	const struct dh_patch *p;
	int e = finish_leaving(t, regs);

	if (e < 0)
		return e;
	end_wait(t, regs);
	p = dh_patches_trampoline(&dh_space_of(t)->patches, dh_regs_pc(regs));
	if (!p || dh_regs_pc(regs) < dh_patch_trampoline_end(p) - 2)
		return run_out(r, t, regs);
	if (dh_regs_pc(regs) < dh_patch_trampoline_end(p)) {
		dh_patch_begin(p, regs);
		dh_tracee_set_regs(&t->t, regs);
		return 0;
	}
	finish_trampoline(p, regs);
	dh_tracee_set_regs(&t->t, regs);
	return 1;
}

int dh_buffer_leave(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	uint64_t mask;
	int e;

	if (!dh_space_of(t) || !dh_space_of(t)->active || !is_inside(dh_regs_pc(regs)))
		return 0;
	e = dh_tracee_get_sigmask(&t->t, &mask);
	if (e < 0)
		return e;
	dh_tracee_set_sigmask(
		&t->t, ~(1ull << (SIGTRAP - 1) | 1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1)));
	e = leave(r, t, regs);
	if (e != -ESRCH)
		dh_tracee_set_sigmask(&t->t, mask);
	if (e > 0)
		dh_buffer_drain(r, t, DH_UNTIL_BEHIND);
	else if (e < 0 && e != -ESRCH)
		dh_rec_fail(r, -e, "process %d does not come back from the buffer", t->t.tid);
	return e;
}

int dh_buffer_new_mask(struct task *t, const struct dh_regs *regs, uint64_t *mask)
{
	uint32_t how = (uint32_t)dh_regs_arg(regs, 0);
	uint64_t set = 0, old = *mask;

	if (dh_regs_arg(regs, 3) != sizeof(set) || (dh_regs_arg(regs, 1) && how > SIG_SETMASK))
		return -EINVAL;
	if (!dh_regs_arg(regs, 1))
		return 0;
	if (dh_tracee_read(&t->t, dh_regs_arg(regs, 1), &set, sizeof(set)) < 0)
		return -EFAULT;
	*mask = how == SIG_BLOCK ? old | set : how == SIG_UNBLOCK ? old & ~set : set;
	*mask &= ~(1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1));
	return 0;
}

/* The record that the buffer would have made. */
static int add_record(
	struct recorder *r, struct task *t, const struct dh_regs *regs, int64_t nr, int64_t result)
{
	struct dh_buffer_record record = {
		.words = sizeof(record) / 8, .nr_out = (uint16_t)nr, .result = result};
	uint64_t arg[6], head, sum;

	dh_buffer_drain(r, t, DH_UNTIL_EVENT);
	if (dh_area_get(t, head, &head) < 0 || head + sizeof(record) > DH_BUFFER_RING_SIZE)
		return -EFAULT;
	for (int i = 0; i < 6; i++)
		arg[i] = dh_regs_arg(regs, i);
	sum = dh_buffer_arguments(arg, dh_regs_sp(regs));
	record.check = dh_buffer_check(sum, sum);
	if (dh_area_write(t, DH_AREA_RING + head, &record, sizeof(record)) < 0)
		return -EFAULT;
	head += sizeof(record);
	return dh_area_set(t, head, &head);
}

int dh_buffer_sigprocmask(struct recorder *r, struct task *t, const struct dh_patch *p,
	struct dh_regs *regs, uint64_t old)
{
	uint64_t mask = old, at = dh_regs_arg(regs, 2);
	int64_t result = dh_buffer_new_mask(t, regs, &mask);
	int e;

	if (result == 0 && at && dh_tracee_write(&t->t, at, &old, sizeof(old)) < 0)
		result = -EFAULT;
	e = add_record(r, t, regs, p->constant, result);
	if (e < 0)
		return e;
	dh_regs_finish_syscall(regs, result);
	dh_regs_set_call_end(regs, dh_patch_trampoline_end(p));
	dh_patch_finish(p, regs);
	e = dh_tracee_set_regs(&t->t, regs);
	if (e == 0)
		dh_buffer_drain(r, t, DH_UNTIL_BEHIND);
	return e;
}

void dh_buffer_mend_frame(struct task *t, uint64_t frame)
{
	struct space *s = dh_space_of(t);
	const struct dh_patch *p;
	struct dh_regs regs;

	if (!s || dh_frame_get(&t->t, frame, &regs) < 0)
		return;
	p = s->active ? dh_patches_trampoline(&s->patches, dh_regs_pc(&regs)) : NULL;
	if (p) {
		if (dh_regs_pc(&regs) < dh_patch_trampoline_end(p))
			dh_patch_begin(p, &regs);
		else
			finish_trampoline(p, &regs);
		dh_frame_set(&t->t, frame, &regs);
	}
	if (s->frames.n <= DH_BUFFER_FRAMES_MAX)
		dh_map_set(&s->frames, dh_regs_pc(&regs), 1);
}
