/* The stack overflows; the handler runs on an alternative stack and jumps out. */
#include "t.h"

static sigjmp_buf env;
static volatile int depth;

static void on_segv(int sig, siginfo_t *si, void *ctx)
{
	(void)si;
	(void)ctx;
	siglongjmp(env, sig);
}

static int __attribute__((noinline)) dive(int n)
{
	volatile char frame[1000];

	frame[n % 1000] = (char)n;
	depth = n;
	return n > 100000000 ? 0 : dive(n + 1) + frame[n % 1000];
}

int main(void)
{
	static char stack[65536];
	stack_t ss = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct rlimit rl;

	TRY(getrlimit(RLIMIT_STACK, &rl));
	rl.rlim_cur = 1u << 20;
	TRY(setrlimit(RLIMIT_STACK, &rl));
	TRY(sigaltstack(&ss, NULL));
	t_on_info(SIGSEGV, on_segv, SA_ONSTACK);
	for (volatile int i = 0; i < 3; i++) {
		if (!sigsetjmp(env, 1))
			dive(0);
		say("overflow %d at depth %d\n", i, depth);
		CHECK(depth > 500 && depth < 2000);
	}
	say("pid %d\n", getpid());
	return 0;
}
