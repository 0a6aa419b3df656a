/* Without SA_RESTART, read, wait, nanosleep, poll and a futex end with EINTR. */
#include "t.h"
#include <linux/futex.h>
#include <poll.h>

static volatile sig_atomic_t got;

static void on_alarm(int sig)
{
	(void)sig;
	got++;
}

static void soon(void)
{
	struct itimerval it = {{0, 2000}, {0, 1500}}; /* again, should the first come too early */

	TRY(setitimer(ITIMER_REAL, &it, NULL));
}

int main(void)
{
	struct timespec ts = {5, 0}, rem = {0, 0};
	int p[2], word = 0;
	pid_t pid;
	char c;

	TRY(pipe(p));
	t_on(SIGALRM, on_alarm, 0);
	pid = TRY(fork());
	if (!pid) {
		pause();
		_exit(0);
	}
	soon();
	CHECK(read(p[0], &c, 1) == -1 && errno == EINTR);
	CHECK(nanosleep(&ts, &rem) == -1 && errno == EINTR);
	say("nanosleep left %ld.%09ld\n", rem.tv_sec, rem.tv_nsec);
	CHECK(poll(NULL, 0, 5000) == -1 && errno == EINTR);
	CHECK(waitpid(pid, NULL, 0) == -1 && errno == EINTR);
	CHECK(syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0) == -1 && errno == EINTR);
	CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, &rem) == EINTR);
	say("clock_nanosleep left %ld.%09ld\n", rem.tv_sec, rem.tv_nsec);
	TRY(setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL));
	TRY(kill(pid, SIGKILL));
	t_say_status("child", t_wait(pid));
	CHECK(got >= 6);
	return 0;
}
