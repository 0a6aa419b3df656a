/* Synchronous faults and asynchronous signals mixed. */
#include "async.h"

static volatile uint64_t faults;

static void on_segv(int sig, siginfo_t *si, void *ctx)
{
	ucontext_t *uc = ctx;

	(void)sig;
	(void)si;
	faults++;
	uc->uc_mcontext.gregs[REG_RIP] += 3; /* movb $1,(%rax) */
}

int main(void)
{
	uint64_t n = 0;

	async_counter = &faults;
	t_on_info(SIGSEGV, on_segv, 0);
	async_start();
	while (async_more()) {
		__asm__ volatile("movb $1,(%%rax)" : : "a"(8L) : "memory");
		for (int i = 0; i < 3000; i++)
			__asm__ volatile("inc %0" : "+r"(n));
	}
	say("end %lu faults %lu\n", n, faults);
	return 0;
}
