/* poll and nanosleep stopped by SIGSTOP and continued restart by restart_syscall, unseen. */
#include "t.h"
#include <poll.h>

int main(void)
{
	int status;
	pid_t pid = TRY(fork());

	if (!pid) {
		struct timespec ts = {0, 20000000};
		uint64_t t = t_now_ns();

		CHECK(poll(NULL, 0, 20) == 0);
		TRY(nanosleep(&ts, NULL));
		say("child slept %lu ns\n", t_now_ns() - t);
		_exit(0);
	}
	for (int i = 0; i < 3; i++) {
		t_sleep_us(t_rand_in(2000, 9000));
		TRY(kill(pid, SIGSTOP));
		CHECK(TRY(waitpid(pid, &status, WUNTRACED)) == pid);
		if (!WIFSTOPPED(status)) /* so slow a machine that the child is done */
			break;
		TRY(kill(pid, SIGCONT));
	}
	if (WIFSTOPPED(status))
		status = t_wait(pid);
	t_say_status("child", status);
	return 0;
}
