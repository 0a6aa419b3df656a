/* /proc/self/stat, status, statm, io-like numbers that change all the time. */
#include "t.h"

static void cat(const char *path)
{
	char buf[4000];
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (fd < 0) {
		say("%s: %d\n", path, errno);
		return;
	}
	n = TRY(read(fd, buf, sizeof(buf)));
	say("%s: %.*s\n", path, (int)n, buf);
	TRY(close(fd));
}

int main(void)
{
	cat("/proc/self/stat");
	cat("/proc/self/status");
	cat("/proc/self/statm");
	cat("/proc/self/schedstat");
	cat("/proc/self/wchan");
	cat("/proc/self/comm");
	cat("/proc/loadavg");
	cat("/proc/uptime");
	cat("/proc/self/oom_score");
	return 0;
}
