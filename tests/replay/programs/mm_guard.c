/* Guard pages around a buffer catch an overrun exactly. */
#include "t.h"

static sigjmp_buf env;
static char *volatile where;

static void on_segv(int sig, siginfo_t *si, void *ctx)
{
	(void)ctx;
	where = si->si_addr;
	siglongjmp(env, sig);
}

int main(void)
{
	char *m = TRY(mmap(NULL, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	volatile size_t n = 0;

	m += 4096;
	TRY(mprotect(m, 4096, PROT_READ | PROT_WRITE));
	t_on_info(SIGSEGV, on_segv, 0);
	if (!sigsetjmp(env, 1))
		for (;; n++)
			((volatile char *)m)[n] = (char)n;
	say("overrun after %zu at +%ld\n", n, where - m);
	CHECK(n == 4096 && where == m + 4096);
	if (!sigsetjmp(env, 1))
		for (n = 4095;; n--)
			((volatile char *)m)[(ssize_t)n] = 1;
	say("underrun at %ld, base %p\n", where - m, (void *)m);
	CHECK(where == m - 1);
	return 0;
}
