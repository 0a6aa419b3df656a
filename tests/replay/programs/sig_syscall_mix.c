/* A timer interrupts a program that does nothing but system calls: signals at their edges. */
#include "t.h"

static volatile sig_atomic_t n;
static volatile uint64_t calls;

static void on_alarm(int sig)
{
	(void)sig;
	say("%d: call %lu\n", ++n, calls);
}

int main(void)
{
	struct itimerval it = {{0, 1000}, {0, 500}};
	int fd = TRY(open("/dev/zero", O_RDWR));
	char buf[512];

	t_on(SIGALRM, on_alarm, SA_RESTART);
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	while (n < 60) {
		CHECK(read(fd, buf, sizeof(buf)) == sizeof(buf));
		CHECK(write(fd, buf, sizeof(buf)) == sizeof(buf));
		CHECK(lseek(fd, 0, SEEK_SET) == 0);
		calls += 3 + (getppid() > 0);
	}
	return 0;
}
