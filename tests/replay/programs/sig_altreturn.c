/* A handler changes the interrupted registers and mask by hand; sigreturn brings them in. */
#include "t.h"

static void on_usr1(int sig, siginfo_t *si, void *ctx)
{
	ucontext_t *uc = ctx;

	(void)sig;
	(void)si;
	sigaddset(&uc->uc_sigmask, SIGUSR2);
	uc->uc_mcontext.gregs[REG_R12] = 0x1234;
}

int main(void)
{
	register long r12 __asm__("r12") = (long)t_rand();
	long tid = gettid(), pid = getpid(), ret;
	sigset_t now;

	say("before %lx\n", r12);
	t_on_info(SIGUSR1, on_usr1, 0);
	__asm__ volatile("syscall"
			 : "=a"(ret), "+r"(r12)
			 : "a"((long)SYS_tgkill), "D"(pid), "S"(tid), "d"((long)SIGUSR1)
			 : "rcx", "r11", "memory");
	say("after %lx, returned %ld\n", r12, ret);
	CHECK(r12 == 0x1234 && ret == 0);
	TRY(sigprocmask(SIG_BLOCK, NULL, &now));
	CHECK(sigismember(&now, SIGUSR2));
	return 0;
}
