/* Inside snprintf, strtod and their number conversions. */
#include "async.h"

int main(void)
{
	uint64_t rounds = 0;
	double x = 1.0, y = 0.0;
	char buf[200];

	async_counter = &rounds;
	async_start();
	while (async_more()) {
		snprintf(buf, sizeof(buf), "%lu %.17g %s %x", rounds, x, "text", (unsigned)rounds);
		y += strtod(strchr(buf, ' '), NULL);
		x = x * 1.000123 + 0.1;
		rounds++;
	}
	say("end %lu %.17g\n", rounds, y);
	return 0;
}
