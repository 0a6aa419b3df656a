/* SIGCHLD ignored or SA_NOCLDWAIT: no zombies, wait says ECHILD when all are gone. */
#include "t.h"

static void spawn(int n)
{
	for (int i = 0; i < n; i++)
		if (TRY(fork()) == 0) {
			say("child %d\n", getpid());
			_exit(i);
		}
	CHECK(wait(NULL) == -1 && errno == ECHILD);
	say("all gone at %lu\n", t_now_ns());
}

static void nothing(int sig)
{
	(void)sig;
}

int main(void)
{
	t_on(SIGCHLD, SIG_IGN, 0);
	spawn(3);
	t_on(SIGCHLD, nothing, SA_NOCLDWAIT | SA_RESTART);
	spawn(3);
	return 0;
}
