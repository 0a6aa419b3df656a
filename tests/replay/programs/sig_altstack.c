/* Handlers on an alternative stack; sigaltstack tells whether it is in use. */
#include "t.h"

static char stack[65536] __attribute__((aligned(16)));
static volatile int hits;

static void on_usr1(int sig)
{
	stack_t ss;
	char here;

	(void)sig;
	hits++;
	TRY(sigaltstack(NULL, &ss));
	CHECK(ss.ss_flags & SS_ONSTACK);
	CHECK(&here > stack && &here < stack + sizeof(stack));
	CHECK(sigaltstack(&ss, NULL) == -1 && errno == EPERM);
	if (hits < 3)
		TRY(raise(SIGUSR2));
}

static void on_usr2(int sig)
{
	char here;

	(void)sig;
	say("nested at %p\n", (void *)&here);
	CHECK(&here > stack && &here < stack + sizeof(stack));
}

int main(void)
{
	stack_t ss = {.ss_sp = stack, .ss_size = sizeof(stack)}, old;

	TRY(sigaltstack(&ss, &old));
	CHECK(old.ss_flags & SS_DISABLE);
	t_on(SIGUSR1, on_usr1, SA_ONSTACK);
	t_on(SIGUSR2, on_usr2, SA_ONSTACK);
	for (int i = 0; i < 5; i++)
		TRY(raise(SIGUSR1));
	ss.ss_flags = SS_DISABLE;
	TRY(sigaltstack(&ss, NULL));
	say("%d hits pid %d\n", hits, getpid());
	return hits == 5 ? 0 : 1;
}
