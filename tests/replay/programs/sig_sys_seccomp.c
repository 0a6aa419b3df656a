/* A seccomp filter that answers getppid with SIGSYS and gettid with an error. */
#include "t.h"
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

static volatile int trapped;

static void on_sys(int sig, siginfo_t *si, void *ctx)
{
	ucontext_t *uc = ctx;

	say("signal %d syscall %d arch %x\n", sig, si->si_syscall, si->si_arch);
	trapped++;
	uc->uc_mcontext.gregs[REG_RAX] = 4242;
}

int main(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_gettid, 2, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EXDEV),
	};
	struct sock_fprog prog = {sizeof(code) / sizeof(code[0]), code};

	t_on_info(SIGSYS, on_sys, 0);
	TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog));
	CHECK(syscall(SYS_getppid) == 4242 && trapped == 1);
	CHECK(syscall(SYS_gettid) == -1 && errno == EXDEV);
	say("pid %d is still allowed\n", getpid());
	return 0;
}
