/* adjtimex and clock_adjtime, reading only. */
#include "t.h"
#include <sys/timex.h>

int main(void)
{
	struct timex tx = {.modes = 0};
	int r = TRY(adjtimex(&tx));

	say("state %d freq %ld maxerror %ld time %ld.%06ld tick %ld\n", r, tx.freq, tx.maxerror,
		tx.time.tv_sec, tx.time.tv_usec, tx.tick);
	tx.modes = 0;
	TRY(clock_adjtime(CLOCK_REALTIME, &tx));
	say("again %ld.%06ld\n", tx.time.tv_sec, tx.time.tv_usec);
	return 0;
}
