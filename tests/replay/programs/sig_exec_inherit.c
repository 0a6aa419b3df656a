/* Across exec: ignored stays ignored, handled becomes default, the mask and pending stay. */
#include "t.h"

static void handler(int sig)
{
	(void)sig;
}

static int second(void)
{
	struct sigaction sa;
	sigset_t set;

	TRY(sigaction(SIGUSR1, NULL, &sa));
	CHECK(sa.sa_handler == SIG_IGN);
	TRY(sigaction(SIGUSR2, NULL, &sa));
	CHECK(sa.sa_handler == SIG_DFL);
	TRY(sigprocmask(SIG_BLOCK, NULL, &set));
	CHECK(sigismember(&set, SIGHUP));
	TRY(sigpending(&set));
	CHECK(sigismember(&set, SIGHUP));
	say("inherited as it should be, pid %d\n", getpid());
	return 17;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return second() == 17 ? 0 : 1;
	t_on(SIGUSR1, SIG_IGN, 0);
	t_on(SIGUSR2, handler, 0);
	t_block(SIGHUP, SIG_BLOCK);
	TRY(kill(getpid(), SIGHUP));
	say("before exec, pid %d\n", getpid());
	TRY(execl("/proc/self/exe", argv[0], "second", NULL));
	return 1;
}
