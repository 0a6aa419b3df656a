/* The old interfaces: signal(), bsd and System V meaning, siginterrupt, sighold and friends. */
#include "t.h"

static volatile int n;

static void on_sig(int sig)
{
	say("signal %d number %d\n", sig, ++n);
}

int main(void)
{
	CHECK(signal(SIGUSR1, on_sig) == SIG_DFL);
	TRY(raise(SIGUSR1));
	CHECK(signal(SIGUSR1, on_sig) == on_sig);
	CHECK(sysv_signal(SIGUSR2, on_sig) == SIG_DFL);
	TRY(raise(SIGUSR2));
	CHECK(signal(SIGUSR2, on_sig) == SIG_DFL);
	t_block(SIGUSR1, SIG_BLOCK);
	TRY(raise(SIGUSR1));
	CHECK(n == 2);
	t_block(SIGUSR1, SIG_UNBLOCK);
	CHECK(n == 3);
	CHECK(signal(SIGKILL, on_sig) == SIG_ERR && errno == EINVAL);
	say("%s, pid %d\n", strsignal(SIGUSR1), getpid());
	return 0;
}
