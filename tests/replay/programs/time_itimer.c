/* getitimer shows what is left. */
#include "t.h"

int main(void)
{
	struct itimerval it = {{3, 0}, {100, 500000}}, got, old;

	for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++) {
		TRY(setitimer(which, &it, NULL));
		for (volatile int i = 0; i < 3000000; i++)
			continue;
		TRY(getitimer(which, &got));
		say("timer %d: %ld.%06ld left, interval %ld\n", which, got.it_value.tv_sec,
			got.it_value.tv_usec, got.it_interval.tv_sec);
		memset(&got, 0, sizeof(got));
		TRY(setitimer(which, &got, &old));
		say("cancelled with %ld.%06ld\n", old.it_value.tv_sec, old.it_value.tv_usec);
		CHECK(old.it_value.tv_sec >= 90);
	}
	CHECK(getitimer(7, &got) == -1 && errno == EINVAL);
	return 0;
}
