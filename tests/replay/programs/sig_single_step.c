/* A program that steps itself with the trap flag and counts its own instructions. */
#include "t.h"

static volatile int steps;
static volatile uint64_t path;

static void on_trap(int sig, siginfo_t *si, void *ctx)
{
	ucontext_t *uc = ctx;

	(void)sig;
	CHECK(si->si_code == TRAP_TRACE || si->si_code == TRAP_BRKPT || si->si_code == SI_KERNEL);
	steps++;
	path = path * 31 + (uint64_t)uc->uc_mcontext.gregs[REG_RCX];
}

int main(void)
{
	unsigned long n = t_rand_in(5, 40);

	t_on_info(SIGTRAP, on_trap, 0);
	__asm__ volatile("lea -128(%%rsp), %%rsp\n"
			 "pushfq\n orl $0x100,(%%rsp)\n popfq\n"
			 "1: dec %%rcx\n jnz 1b\n"
			 "pushfq\n andl $~0x100,(%%rsp)\n popfq\n"
			 "lea 128(%%rsp), %%rsp\n"
			 : "+c"(n)
			 :
			 : "memory", "cc");
	say("%d steps, path %016lx\n", steps, path);
	CHECK(steps > 10);
	return 0;
}
