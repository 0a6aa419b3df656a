/* Stop and continue a child; wait sees both with WUNTRACED and WCONTINUED. */
#include "t.h"

int main(void)
{
	int status;
	pid_t pid = TRY(fork());

	if (!pid) {
		setpgid(0, 0);
		for (;;)
			pause();
	}
	setpgid(pid, pid); /* SIGTSTP means nothing in an orphaned group */
	for (int i = 0; i < 5; i++) {
		TRY(kill(pid, i % 2 ? SIGTSTP : SIGSTOP));
		CHECK(TRY(waitpid(pid, &status, WUNTRACED)) == pid && WIFSTOPPED(status));
		say("%d stopped by %d\n", pid, WSTOPSIG(status));
		TRY(kill(pid, SIGCONT));
		CHECK(TRY(waitpid(pid, &status, WCONTINUED)) == pid && WIFCONTINUED(status));
		say("%d continued at %lu\n", pid, t_now_ns());
	}
	TRY(kill(pid, SIGSTOP));
	TRY(kill(pid, SIGKILL));
	t_say_status("end", t_wait(pid));
	return 0;
}
