/* The SIGSEGV handler makes the page accessible and returns: the access happens again. */
#include "t.h"

static char *area;
static volatile int faults;

static void on_segv(int sig, siginfo_t *si, void *ctx)
{
	uintptr_t page = (uintptr_t)si->si_addr & ~(uintptr_t)4095;

	(void)sig;
	(void)ctx;
	CHECK(page >= (uintptr_t)area && page < (uintptr_t)area + 64 * 4096);
	TRY(mprotect((void *)page, 4096, PROT_READ | PROT_WRITE));
	faults++;
	say("page %ld\n", ((char *)page - area) / 4096);
}

int main(void)
{
	unsigned sum = 0;

	area = TRY(mmap(NULL, 64 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	t_on_info(SIGSEGV, on_segv, 0);
	for (int i = 0; i < 200; i++) {
		unsigned k = t_rand_in(0, 64 * 4096 - 1);

		area[k]++;
		sum = sum * 7 + k;
	}
	say("%d faults, sum %u\n", faults, sum);
	CHECK(faults > 10);
	return 0;
}
