/* Much output by one process, then by several, then by one again; with signals in between.
 * ends: SIGKILL */
#include "buf.h"

static volatile sig_atomic_t got;

static void on_alarm(int sig)
{
	static const char text[] = "alarm\n";

	(void)sig;
	got++;
	CHECK(write(STDERR_FILENO, text, sizeof(text) - 1) == sizeof(text) - 1);
	buf_strike_again();
}

static void talk(const char *who, int n)
{
	for (int i = 0; i < n; i++) {
		char number[32];
		struct iovec v[3] = {{(void *)(uintptr_t)who, strlen(who)}, {number, 0},
			{(void *)(uintptr_t) "\n", 1}};

		v[1].iov_len = (size_t)snprintf(
			number, sizeof(number), " %d: %" PRIu64, i, t_now_ns() % 1000000);
		if (i % 2)
			CHECK(writev(i % 3 ? STDOUT_FILENO : STDERR_FILENO, v, 3) > 0);
		else
			say("%s %d: %d\n", who, i, (int)got);
	}
}

int main(void)
{
	pid_t pid;

	talk("alone", 40);
	t_on(SIGALRM, on_alarm, SA_RESTART);
	buf_strike(20);
	talk("struck", 60);
	while (buf_strikes > 0)
		t_sleep_us(500);
	for (int i = 0; i < 3; i++) {
		pid = TRY(fork());
		talk(pid ? "parent" : "child", 20);
		if (!pid) {
			TRY(dup2(STDERR_FILENO, STDOUT_FILENO));
			talk("child, elsewhere,", 10);
			_exit(0);
		}
		CHECK(t_wait(pid) == 0);
		talk("alone again", 20);
	}
	TRY(close(STDERR_FILENO));
	CHECK(write(STDERR_FILENO, "x", 1) == -1 && errno == EBADF);
	say("the end\n");
	TRY(kill(getpid(), SIGKILL));
	return 0;
}
