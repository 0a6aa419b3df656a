/* Seccomp filters of the program.  They are not installed, because they would hide calls from the
 * recorder; calls that stop are held against them here, and what they forbid is logged as a result
 * like any other, so that a replay need not know of them. */
#include "record/recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "record/buffer.h"
#include "sysmodel/seccomp.h"
#include "wire/landing.h"

#define CAP_SYS_ADMIN 21
#define ERRNO_MAX     4095u
#define STATUS_SIZE   8192

/* As in the kernel a chain, whose older part threads and children share. */
struct rules {
	struct rules *older;
	int refs;
	size_t n;
	struct sock_filter code[];
};

static const struct sock_filter strict[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 4, 0),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 3, 0),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 2, 0),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 1, 0),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_THREAD),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

void dh_rules_inherit(struct task *from, struct task *to)
{
	struct rules *old = to->rules;

	to->rules = from->rules;
	if (to->rules)
		to->rules->refs++;
	while (old && --old->refs == 0) {
		struct rules *older = old->older;

		free(old);
		old = older;
	}
}

static bool may_install(struct task *t)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	uint64_t caps = 0;
	char path[32];
	const char *at;

	snprintf(path, sizeof(path), "/proc/%d/status", t->t.tid);
	if (dh_read_file(path, STATUS_SIZE, &text, NULL) < 0)
		return false;
	at = strstr(text.data, "\nCapEff:");
	if (at)
		sscanf(at + 8, " %" SCNx64, &caps);
	return (caps & 1ull << CAP_SYS_ADMIN) || strstr(text.data, "\nNoNewPrivs:\t1");
}

static void add(
	struct recorder *r, struct task *t, const struct sock_filter *code, size_t n, bool all)
{
	struct rules *s = dh_alloc(sizeof(*s) + n * sizeof(*code));

	*s = (struct rules){.older = t->rules, .refs = 1, .n = n};
	memcpy(s->code, code, n * sizeof(*code));
	t->rules = s;
	dh_buffer_leave_alone(t);
	dh_map_foreach (slot, &r->tasks) {
		struct task *other = (struct task *)(uintptr_t)slot->value;

		if (all && other != t && other->process == t->process)
			dh_rules_inherit(t, other);
	}
}

static int64_t add_program(struct recorder *r, struct task *t, uint64_t addr, bool all)
{
	struct sock_filter code[DH_SECCOMP_MAX];
	struct sock_fprog prog;

	if (dh_tracee_read(&t->t, addr, &prog, sizeof(prog)) < 0)
		return -EFAULT;
	if (prog.len == 0 || prog.len > DH_SECCOMP_MAX)
		return -EINVAL;
	if (dh_tracee_read(&t->t, (uintptr_t)prog.filter, code, prog.len * sizeof(code[0])) < 0)
		return -EFAULT;
	if (!dh_seccomp_valid(code, prog.len))
		return -EINVAL;
	if (!may_install(t))
		return -EACCES;
	add(r, t, code, prog.len, all);
	return 0;
}

int64_t dh_rules_install(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	bool by_prctl = c->nr == SYS_prctl;
	uint64_t flags = by_prctl ? 0 : c->arg[1];
	bool filter =
		by_prctl ? c->arg[1] == SECCOMP_MODE_FILTER : c->arg[0] == SECCOMP_SET_MODE_FILTER;

	if (filter)
		return add_program(r, t, c->arg[2], flags & SECCOMP_FILTER_FLAG_TSYNC);
	if (by_prctl && c->arg[1] != SECCOMP_MODE_STRICT)
		return -EINVAL;
	add(r, t, strict, DH_ARRAY_SIZE(strict), false);
	return 0;
}

static uint32_t judge(struct task *t, const struct dh_sys_call *c)
{
	struct seccomp_data data = {.nr = (int)c->nr,
		.arch = AUDIT_ARCH_X86_64,
		.instruction_pointer = dh_regs_pc(&t->entry)};
	uint32_t verdict = SECCOMP_RET_ALLOW;

	for (int i = 0; i < 6; i++)
		data.args[i] = c->arg[i];
	for (const struct rules *s = t->rules; s; s = s->older)
		verdict = dh_seccomp_stricter(verdict, dh_seccomp_run(s->code, s->n, &data));
	return verdict;
}

/* The end by a signal that nothing can catch. */
static void end(struct recorder *r, struct task *t)
{
	static const uint8_t none[32];
	struct dh_regs regs = t->entry;
	int64_t unused;

	dh_call_log_enter(r, t);
	dh_tracee_write(&t->t, DH_LANDING_SCRATCH, none, sizeof(none)); /* SIG_DFL */
	dh_tracee_syscall(&t->t, &unused, SYS_rt_sigaction, SIGSYS, DH_LANDING_SCRATCH, 0, 8, 0, 0);
	dh_regs_finish_syscall(&regs, -ENOSYS);
	dh_tracee_set_regs(&t->t, &regs);
	dh_tracee_set_sigmask(&t->t, 0);
	syscall(SYS_tgkill, t->process->pid, t->t.tid, SIGSYS);
	dh_rec_resume(r, t, DH_RESUME_CONT, 0);
}

static void trap(struct recorder *r, struct task *t, const struct dh_sys_call *c, uint32_t verdict)
{
	siginfo_t si = {.si_signo = SIGSYS,
		.si_code = 1, /* SYS_SECCOMP */
		.si_errno = (int)(verdict & SECCOMP_RET_DATA)};

	if (!dh_signal_is_caught(t, SIGSYS) || t->n_held == HELD_MAX) {
		end(r, t);
		return;
	}
	si.si_call_addr = (void *)(uintptr_t)dh_regs_pc(&t->entry);
	si.si_syscall = (int)c->nr;
	si.si_arch = AUDIT_ARCH_X86_64;
	/* Sent as one that was held back, so that it gets its own information at the stop. */
	t->held[t->n_held++] = si;
	syscall(SYS_tgkill, t->process->pid, t->t.tid, SIGSYS);
	dh_call_answer(r, t, c->nr);
}

bool dh_rules_forbid(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	uint32_t verdict = t->rules ? judge(t, c) : SECCOMP_RET_ALLOW;

	switch (verdict & SECCOMP_RET_ACTION_FULL) {
	case SECCOMP_RET_ALLOW:
	case SECCOMP_RET_LOG:
		return false;
	case SECCOMP_RET_ERRNO:
		dh_call_answer(r, t, -(int64_t)DH_MIN(verdict & SECCOMP_RET_DATA, ERRNO_MAX));
		return true;
	case SECCOMP_RET_TRAP:
		trap(r, t, c, verdict);
		return true;
	case SECCOMP_RET_TRACE:
	case SECCOMP_RET_USER_NOTIF:
		dh_call_answer(r, t, -ENOSYS);
		return true;
	default:
		end(r, t);
		return true;
	}
}
