/* RLIMIT_CPU: SIGXCPU after the soft limit, caught, with the work done so far. */
#include "t.h"

static volatile uint64_t work;

static void on_xcpu(int sig)
{
	say("signal %d at work %lu\n", sig, work);
	_exit(24);
}

int main(void)
{
	struct rlimit rl;
	struct timespec ts;
	pid_t pid = TRY(fork());

	if (!pid) {
		t_on(SIGXCPU, on_xcpu, 0);
		TRY(getrlimit(RLIMIT_CPU, &rl));
		rl.rlim_cur = 1;
		TRY(setrlimit(RLIMIT_CPU, &rl));
		for (;;)
			work++;
	}
	CHECK(WEXITSTATUS(t_wait(pid)) == 24);
	TRY(clock_gettime(CLOCK_MONOTONIC, &ts));
	say("done at %ld.%09ld\n", ts.tv_sec, ts.tv_nsec);
	return 0;
}
