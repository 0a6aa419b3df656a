/* A non-canonical address faults without telling where; a jump to nowhere faults as well. */
#include "t.h"

static sigjmp_buf env;
static siginfo_t last;

static void on_segv(int sig, siginfo_t *si, void *ctx)
{
	(void)ctx;
	last = *si;
	siglongjmp(env, sig);
}

int main(void)
{
	volatile uintptr_t bad = 0x8000000000000000u + (t_rand() & 0xfff);
	void (*volatile nowhere)(void) = (void (*)(void))(uintptr_t)(0x1000 + t_rand() % 100);

	t_on_info(SIGSEGV, on_segv, 0);
	t_on_info(SIGBUS, on_segv, 0);
	if (!sigsetjmp(env, 1)) {
		*(volatile char *)bad = 1;
		return 1;
	}
	say("signal %d code %d addr %p\n", last.si_signo, last.si_code, last.si_addr);
	if (!sigsetjmp(env, 1)) {
		nowhere();
		return 1;
	}
	say("signal %d code %d addr %p\n", last.si_signo, last.si_code, last.si_addr);
	CHECK(last.si_addr == (void *)nowhere);
	return 0;
}
