/* A child without the right to fork is told so. */
#include "t.h"

int main(void)
{
	pid_t pid = TRY(fork());

	if (!pid) {
		struct rlimit rl = {0, 0};
		int r = setresuid(54321, 54321, 54321);
		pid_t p;

		TRY(setrlimit(RLIMIT_NPROC, &rl));
		p = fork();
		if (p == 0)
			_exit(0);
		say("setresuid %d, fork %s, errno %d\n", r, p < 0 ? "refused" : "allowed",
			p < 0 ? errno : 0);
		CHECK(p < 0 && errno == EAGAIN);
		_exit(0);
	}
	CHECK(t_wait(pid) == 0);
	say("pid %d\n", getpid());
	return 0;
}
