/* mprotect: read-only, none, back again; write faults are counted. */
#include "t.h"

static char *page;
static volatile int faults;

static void on_segv(int sig, siginfo_t *si, void *ctx)
{
	(void)sig;
	(void)ctx;
	CHECK(si->si_code == SEGV_ACCERR && (char *)si->si_addr >= page &&
		(char *)si->si_addr < page + 4096);
	faults++;
	TRY(mprotect(page, 4096, PROT_READ | PROT_WRITE));
}

int main(void)
{
	page = TRY(
		mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	page += 4096;
	t_on_info(SIGSEGV, on_segv, 0);
	for (int i = 0; i < 100; i++) {
		if (t_rand() % 2)
			TRY(mprotect(page, 4096, t_rand() % 2 ? PROT_READ : PROT_NONE));
		page[t_rand() % 4096] = (char)i;
	}
	say("%d faults, hash %016lx\n", faults, t_hash(page, 4096));
	CHECK(mprotect(page + 1, 4096, PROT_READ) == -1 && errno == EINVAL);
	CHECK(mprotect((void *)4096, 4096, PROT_READ) == -1 && errno == ENOMEM);
	return 0;
}
