/* SIGTRAP from int3, in both of its encodings. */
#include "t.h"

static volatile int hits;

static void on_trap(int sig, siginfo_t *si, void *ctx)
{
	ucontext_t *uc = ctx;

	(void)sig;
	hits++;
	say("trap %d code %d rip %llx rbx %llx\n", hits, si->si_code,
		uc->uc_mcontext.gregs[REG_RIP], uc->uc_mcontext.gregs[REG_RBX]);
}

int main(void)
{
	t_on_info(SIGTRAP, on_trap, 0);
	for (int i = 0; i < 20; i++)
		__asm__ volatile("int3" : : "b"(t_rand()) : "memory");
	__asm__ volatile(".byte 0xcd, 0x03" : : "b"(t_rand()) : "memory");
	CHECK(hits == 21);
	return 0;
}
