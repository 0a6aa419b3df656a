/* waitid by pid, by group, for all; WNOWAIT leaves the child there. */
#include "t.h"

int main(void)
{
	siginfo_t si;
	pid_t a = TRY(fork()), b;

	if (!a)
		_exit(1);
	b = TRY(fork());
	if (!b) {
		TRY(setpgid(0, 0));
		raise(SIGTERM);
	}
	TRY(waitid(P_PID, (id_t)a, &si, WEXITED | WNOWAIT));
	say("peek %d status %d uid %d\n", si.si_pid, si.si_status, si.si_uid);
	TRY(waitid(P_PID, (id_t)a, &si, WEXITED));
	CHECK(si.si_pid == a && si.si_code == CLD_EXITED && si.si_status == 1);
	TRY(waitid(P_ALL, 0, &si, WEXITED));
	say("then %d code %d status %d\n", si.si_pid, si.si_code, si.si_status);
	CHECK(si.si_pid == b && si.si_status == SIGTERM);
	CHECK(waitid(P_PGID, (id_t)b, &si, WEXITED) == -1 && errno == ECHILD);
	CHECK(waitid(P_ALL, 0, &si, 0) == -1 && errno == EINVAL);
	return 0;
}
