/* SIGILL from ud2, stepped over in the handler. */
#include "t.h"

static volatile int hits;

static void on_ill(int sig, siginfo_t *si, void *ctx)
{
	ucontext_t *uc = ctx;

	CHECK(sig == SIGILL && si->si_addr == (void *)uc->uc_mcontext.gregs[REG_RIP]);
	uc->uc_mcontext.gregs[REG_RIP] += 2;
	uc->uc_mcontext.gregs[REG_RAX] = ++hits;
	if (hits % 10 == 0)
		say("hit %d code %d at %p\n", hits, si->si_code, si->si_addr);
}

int main(void)
{
	long sum = 0;

	t_on_info(SIGILL, on_ill, 0);
	for (int i = 0; i < 50; i++) {
		long a = 0;

		__asm__ volatile("ud2" : "+a"(a) : : "memory");
		sum += a;
	}
	say("sum %ld pid %d\n", sum, getpid());
	CHECK(sum == 1275);
	return 0;
}
