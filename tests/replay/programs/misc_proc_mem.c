/* A program reads and writes itself through /proc/self/mem. */
#include "t.h"

static char secret[64];

int main(void)
{
	int fd = TRY(open("/proc/self/mem", O_RDWR));
	char buf[64] = {0};

	snprintf(secret, sizeof(secret), "%016lx", t_rand());
	CHECK(pread(fd, buf, sizeof(buf), (off_t)(uintptr_t)secret) == sizeof(buf));
	say("read %s\n", buf);
	CHECK(strcmp(buf, secret) == 0);
	CHECK(pwrite(fd, "changed", 8, (off_t)(uintptr_t)secret) == 8);
	say("now %s\n", ((volatile char *)secret)[0] == 'c' ? secret : "unchanged");
	CHECK(strcmp(secret, "changed") == 0);
	return 0;
}
