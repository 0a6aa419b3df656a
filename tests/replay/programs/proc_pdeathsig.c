/* PR_SET_PDEATHSIG: a grandchild hears of its parent's death. */
#include "t.h"
#include <sys/prctl.h>

static int p[2];

static void on_usr1(int sig)
{
	say_to(p[1], "signal %d in %d", sig, getpid());
	_exit(0);
}

int main(void)
{
	char buf[64];
	int r[2], sig = 0;
	ssize_t n;
	pid_t pid;

	TRY(pipe(p));
	TRY(pipe(r));
	pid = TRY(fork());
	if (!pid) {
		if (TRY(fork()) == 0) {
			t_on(SIGUSR1, on_usr1, 0);
			TRY(prctl(PR_SET_PDEATHSIG, SIGUSR1));
			TRY(prctl(PR_GET_PDEATHSIG, &sig));
			CHECK(sig == SIGUSR1);
			CHECK(write(r[1], "r", 1) == 1);
			for (;;)
				pause();
		}
		CHECK(read(r[0], buf, 1) == 1);
		_exit(0);
	}
	CHECK(t_wait(pid) == 0);
	TRY(close(p[1]));
	n = TRY(read(p[0], buf, sizeof(buf)));
	say("%.*s\n", (int)n, buf);
	CHECK(n > 0 && read(p[0], buf, 1) == 0);
	return 0;
}
