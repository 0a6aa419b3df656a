/* SIGSEGV from bad loads and stores, left by siglongjmp, 50 times. */
#include "t.h"

static sigjmp_buf env;
static void *volatile where;

static void on_segv(int sig, siginfo_t *si, void *ctx)
{
	(void)sig;
	(void)ctx;
	where = si->si_addr;
	siglongjmp(env, si->si_code);
}

int main(void)
{
	char *page = TRY(mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	volatile int i;

	t_on_info(SIGSEGV, on_segv, 0);
	for (i = 0; i < 50; i++) {
		volatile char *volatile p =
			i % 2 ? page + t_rand() % 4096 : (char *)(t_rand() % 4096);
		int code = sigsetjmp(env, 1);

		if (!code) {
			if (i % 3)
				*p = 1;
			else
				(void)*p;
			t_fail(__FILE__, __LINE__, "no fault");
		}
		say("%d: code %d at %p\n", i, code, where);
		CHECK(where == p && code == (i % 2 ? SEGV_ACCERR : SEGV_MAPERR));
	}
	return 0;
}
