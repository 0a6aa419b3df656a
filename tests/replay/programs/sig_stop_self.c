/* A child stops itself, catches SIGCONT, and goes on; the parent hears of it by SIGCHLD. */
#include "t.h"

static void on_cont(int sig)
{
	say("child caught %d\n", sig);
}

int main(void)
{
	siginfo_t si;
	int p[2];
	pid_t pid;
	char c;

	TRY(pipe(p));
	pid = TRY(fork());
	if (!pid) {
		t_on(SIGCONT, on_cont, 0);
		for (int i = 0; i < 3; i++) {
			say("child stops, %lu\n", t_now_ns());
			TRY(raise(SIGSTOP));
			say("child runs, %lu\n", t_now_ns());
			CHECK(read(p[0], &c, 1) == 1); /* seen by the parent */
		}
		_exit(9);
	}
	for (int i = 0; i < 3; i++) {
		TRY(waitid(P_PID, (id_t)pid, &si, WSTOPPED));
		say("code %d status %d\n", si.si_code, si.si_status);
		CHECK(si.si_code == CLD_STOPPED && si.si_status == SIGSTOP);
		TRY(kill(pid, SIGCONT));
		TRY(waitid(P_PID, (id_t)pid, &si, WCONTINUED));
		CHECK(si.si_code == CLD_CONTINUED);
		CHECK(write(p[1], "s", 1) == 1);
	}
	t_say_status("child", t_wait(pid));
	return 0;
}
