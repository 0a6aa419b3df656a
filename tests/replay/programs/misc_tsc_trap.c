/* PR_SET_TSC: a program that forbids itself rdtsc gets SIGSEGV, and may allow it again. */
#include "t.h"
#include <sys/prctl.h>
#include <x86intrin.h>

static volatile int faults;

static void on_segv(int sig, siginfo_t *si, void *ctx)
{
	ucontext_t *uc = ctx;

	(void)sig;
	(void)si;
	faults++;
	uc->uc_mcontext.gregs[REG_RIP] += 2;
	uc->uc_mcontext.gregs[REG_RAX] = 4;
	uc->uc_mcontext.gregs[REG_RDX] = 0;
}

int main(void)
{
	int mode = 0;

	t_on_info(SIGSEGV, on_segv, 0);
	TRY(prctl(PR_GET_TSC, &mode));
	CHECK(mode == PR_TSC_ENABLE);
	TRY(prctl(PR_SET_TSC, PR_TSC_SIGSEGV));
	CHECK(__rdtsc() == 4 && faults == 1);
	TRY(prctl(PR_GET_TSC, &mode));
	CHECK(mode == PR_TSC_SIGSEGV);
	TRY(prctl(PR_SET_TSC, PR_TSC_ENABLE));
	say("now %llu\n", __rdtsc());
	CHECK(faults == 1);
	return 0;
}
