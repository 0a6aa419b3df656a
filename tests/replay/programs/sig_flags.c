/* SA_RESETHAND, SA_NODEFER and sa_mask do what they say.
 * ends: SIGTERM */
#include "t.h"

static volatile int depth, deepest, runs;

static void once(int sig)
{
	struct sigaction sa;

	TRY(sigaction(sig, NULL, &sa));
	CHECK(sa.sa_handler == SIG_DFL);
	runs++;
}

static void again(int sig)
{
	if (++depth > deepest)
		deepest = depth;
	if (depth < 4)
		TRY(raise(sig));
	say("depth %d\n", depth);
	depth--;
}

static void masked(int sig)
{
	sigset_t now;

	(void)sig;
	TRY(sigprocmask(SIG_BLOCK, NULL, &now));
	CHECK(sigismember(&now, SIGUSR1) && sigismember(&now, SIGHUP));
	say("masked, pid %d\n", getpid());
}

int main(void)
{
	struct sigaction sa = {.sa_handler = masked};

	t_on(SIGTERM, once, (int)SA_RESETHAND);
	TRY(raise(SIGTERM));
	CHECK(runs == 1);
	t_on(SIGUSR2, again, SA_NODEFER);
	TRY(raise(SIGUSR2));
	CHECK(deepest == 4);
	sigaddset(&sa.sa_mask, SIGHUP);
	TRY(sigaction(SIGUSR1, &sa, NULL));
	TRY(raise(SIGUSR1));
	TRY(raise(SIGTERM)); /* nobody handles it any more: the end */
	return 1;
}
