/* wait4 and getrusage: the times a child used. */
#include "t.h"

int main(void)
{
	struct rusage ru, all;
	int status;
	pid_t pid = TRY(fork());

	if (!pid) {
		for (volatile int i = 0; i < 20000000; i++)
			continue;
		_exit(2);
	}
	CHECK(TRY(wait4(pid, &status, 0, &ru)) == pid);
	say("user %ld.%06ld sys %ld.%06ld maxrss %ld faults %ld switches %ld\n", ru.ru_utime.tv_sec,
		ru.ru_utime.tv_usec, ru.ru_stime.tv_sec, ru.ru_stime.tv_usec, ru.ru_maxrss,
		ru.ru_minflt, ru.ru_nivcsw);
	TRY(getrusage(RUSAGE_CHILDREN, &all));
	CHECK(all.ru_utime.tv_usec + all.ru_utime.tv_sec * 1000000 >= ru.ru_utime.tv_usec);
	TRY(getrusage(RUSAGE_SELF, &all));
	say("self %ld.%06ld\n", all.ru_utime.tv_sec, all.ru_utime.tv_usec);
	return 0;
}
