/* A child dies from each deadly signal; the parent reads which. */
#include "t.h"

int main(void)
{
	struct rlimit none = {0, 0};

	TRY(setrlimit(RLIMIT_CORE, &none));
	for (int s = 1; s < 32; s++) {
		siginfo_t si = {0};
		pid_t pid;

		if (s == SIGCHLD || s == SIGCONT || s == SIGURG || s == SIGWINCH || s == SIGSTOP ||
			s == SIGTSTP || s == SIGTTIN || s == SIGTTOU)
			continue;
		pid = TRY(fork());
		if (!pid) {
			if (s % 2)
				raise(s);
			else
				kill(getpid(), s);
			_exit(99);
		}
		TRY(waitid(P_PID, (id_t)pid, &si, WEXITED));
		say("%d died of %d code %d\n", si.si_pid, si.si_status, si.si_code);
		CHECK(si.si_status == s && (si.si_code == CLD_KILLED || si.si_code == CLD_DUMPED));
	}
	return 0;
}
