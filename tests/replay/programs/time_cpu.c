/* times, clock, getrusage, CPU clocks of the process, the thread and a child. */
#include "t.h"
#include <sys/times.h>

int main(void)
{
	struct rusage ru;
	struct timespec ts;
	struct tms tms;
	clockid_t id;
	clock_t c, r;
	pid_t pid;

	for (volatile int i = 0; i < 10000000; i++)
		continue;
	r = times(&tms);
	c = clock();
	say("times %ld user %ld sys %ld clock %ld\n", r, tms.tms_utime, tms.tms_stime, c);
	TRY(getrusage(RUSAGE_SELF, &ru));
	say("rusage %ld.%06ld\n", ru.ru_utime.tv_sec, ru.ru_utime.tv_usec);
	TRY0(pthread_getcpuclockid(pthread_self(), &id));
	TRY(clock_gettime(id, &ts));
	say("thread %ld.%09ld\n", ts.tv_sec, ts.tv_nsec);
	pid = TRY(fork());
	if (!pid) {
		pause();
		_exit(0);
	}
	TRY0(clock_getcpuclockid(pid, &id));
	TRY(clock_gettime(id, &ts));
	say("child %ld.%09ld\n", ts.tv_sec, ts.tv_nsec);
	TRY(kill(pid, SIGKILL));
	t_wait(pid);
	CHECK(c > 0);
	return 0;
}
