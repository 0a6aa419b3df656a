/* localtime, strftime, mktime in several zones, of the time it is. */
#include "t.h"

int main(void)
{
	static const char *const zones[] = {
		"UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "PST8PDT", "Asia/Tokyo"};
	time_t now = time(NULL);
	char buf[128];
	struct tm tm;

	for (int i = 0; i < 4; i++) {
		TRY(setenv("TZ", zones[i], 1));
		tzset();
		CHECK(localtime_r(&now, &tm));
		CHECK(strftime(buf, sizeof(buf), "%Y-%m-%d %H:%M:%S %z %j %A", &tm));
		say("%s: %s\n", zones[i], buf);
		CHECK(mktime(&tm) == now);
	}
	return 0;
}
