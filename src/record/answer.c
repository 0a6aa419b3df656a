/* Calls that are answered by the recorder instead of the kernel: those that do not exist while a
 * program is recorded, those by which the kernel would see through the recording, and those whose
 * effect the recorder could not see. */
#include "record/recorder.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "record/describe.h"

#define VSYSCALL      0xffffffffff600000ull
#define VSYSCALL_SIZE 0x1000ull

/* Answers a call at its entry instead of the kernel; n writes are prepared. */
static void answer_with(struct recorder *r, struct task *t, int64_t result, uint64_t n)
{
	struct dh_ev_syscall e = {.nr = t->nr, .entry_hash = t->entry_hash, .result = result};
	struct dh_sys_call c = dh_call_of(t, result);
	struct dh_regs regs = t->entry;

	dh_ev_put_syscall(&r->payload, &e, &r->writes, n);
	dh_rec_log(r, t, DH_EV_SYSCALL);
	dh_describe_exit(r, t, &c);
	dh_gate_exit(r, t, result);
	dh_regs_finish_syscall(&regs, result);
	dh_tracee_set_regs(&t->t, &regs);
	t->in_call = false;
	t->at_boundary = true;
	t->boundary = regs;
	dh_rec_resume(r, t, DH_RESUME_CONT, 0);
}

void dh_call_answer(struct recorder *r, struct task *t, int64_t result)
{
	dh_buf_clear(&r->writes);
	answer_with(r, t, result, 0);
}

static uint64_t put_answer(
	struct recorder *r, struct task *t, uint64_t addr, const void *p, size_t n)
{
	if (!addr || dh_tracee_write(&t->t, addr, p, n) < 0)
		return 0;
	dh_ev_put_write(&r->writes, addr, p, n);
	return 1;
}

/* The three calls that old programs make by a jump to a fixed address: there is no stop at their
 * end, and what they tell is no secret. */
static void answer_vsyscall(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	struct timeval now;
	struct timezone zone;
	uint32_t cpu = (uint32_t)r->cpu, node = 0;
	uint64_t n = 0;

	gettimeofday(&now, &zone);
	dh_buf_clear(&r->writes);
	switch (c->nr) {
	case SYS_gettimeofday:
		n += put_answer(r, t, c->arg[0], &now, sizeof(now));
		n += put_answer(r, t, c->arg[1], &zone, sizeof(zone));
		break;
	case SYS_time:
		n += put_answer(r, t, c->arg[0], &now.tv_sec, sizeof(now.tv_sec));
		break;
	case SYS_getcpu:
		n += put_answer(r, t, c->arg[0], &cpu, sizeof(cpu));
		n += put_answer(r, t, c->arg[1], &node, sizeof(node));
		break;
	default:
		break;
	}
	answer_with(r, t, c->nr == SYS_time ? now.tv_sec : 0, n);
}

bool dh_call_answered(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	if (dh_regs_pc(&t->entry) - VSYSCALL < VSYSCALL_SIZE) {
		answer_vsyscall(r, t, c);
		return true;
	}
	switch (c->nr) {
	case SYS_prctl: /* the recorder has a filter of its own */
		if ((int)c->arg[0] != PR_GET_SECCOMP)
			return false;
		dh_call_answer(r, t, t->rules ? SECCOMP_MODE_FILTER : SECCOMP_MODE_DISABLED);
		return true;
	case SYS_sched_setaffinity: /* the recorder chooses the processor */
		dh_call_answer(r, t, 0);
		return true;
	case SYS_sendfile: /* data that never passes through the program could not be shown again */
		if (!dh_echo_of(r, t, (int)c->arg[0]))
			return false;
		dh_call_answer(r, t, -EINVAL);
		return true;
	case SYS_tee:
		if (!dh_echo_of(r, t, (int)c->arg[1]))
			return false;
		dh_call_answer(r, t, -EINVAL);
		return true;
	case SYS_splice:
	case SYS_copy_file_range:
		if (!dh_echo_of(r, t, (int)c->arg[2]))
			return false;
		dh_call_answer(r, t, -EINVAL);
		return true;
	default:
		return false;
	}
}

/* A task without a tracer could make no call: the recorder's filter stops them all. */
void dh_call_refuse_escape(struct recorder *r, struct task *t)
{
	dh_rec_warn(r, "a process that may not be traced is refused; LeakSanitizer needs one "
		       "(ASAN_OPTIONS=detect_leaks=0 does without)");
	dh_call_answer(r, t, -EPERM);
}

/* What a call that is not made gives; some are pretended. */
static int64_t refusal(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	if (c->nr == SYS_prctl && (int)c->arg[0] == PR_SET_TSC) {
		if (c->arg[1] != PR_TSC_ENABLE && c->arg[1] != PR_TSC_SIGSEGV)
			return -EINVAL;
		t->tsc_traps = c->arg[1] == PR_TSC_SIGSEGV;
	}
	if (dh_sysmodel_refusal(c) == 0 &&
		(c->nr == SYS_seccomp || (c->nr == SYS_prctl && (int)c->arg[0] == PR_SET_SECCOMP)))
		return dh_rules_install(r, t, c);
	return -dh_sysmodel_refusal(c);
}

void dh_call_refuse(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	if (dh_sysmodel_unknown(t->nr))
		dh_rec_warn(r, "system call %lld is not known: refused", (long long)t->nr);
	dh_call_answer(r, t, refusal(r, t, c));
}
