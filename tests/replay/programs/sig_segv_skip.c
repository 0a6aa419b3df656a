/* The handler moves the instruction pointer behind the faulting instruction. */
#include "t.h"

static volatile int skipped;

static void on_segv(int sig, siginfo_t *si, void *ctx)
{
	ucontext_t *uc = ctx;

	(void)sig;
	(void)si;
	uc->uc_mcontext.gregs[REG_RIP] += 3; /* movb $1,(%rax) */
	uc->uc_mcontext.gregs[REG_RBX] += uc->uc_mcontext.gregs[REG_RCX];
	skipped++;
}

int main(void)
{
	unsigned long sum = 0;

	t_on_info(SIGSEGV, on_segv, 0);
	for (unsigned long i = 0; i < 100; i++) {
		unsigned long add = t_rand() % 100;

		__asm__ volatile("movb $1,(%%rax)" : "+b"(sum) : "a"(8L), "c"(add) : "memory");
	}
	say("skipped %d sum %lu\n", skipped, sum);
	CHECK(skipped == 100);
	return 0;
}
