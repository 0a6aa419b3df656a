/* ITIMER_PROF counts user and system time; the program does both. */
#include "t.h"

static volatile sig_atomic_t ticks;
static volatile uint64_t work;

static void on_tick(int sig)
{
	(void)sig;
	ticks++;
	say("prof: work %lu\n", work);
}

int main(void)
{
	struct itimerval it = {{0, 4000}, {0, 4000}};
	char buf[4096];
	int fd = TRY(open("/dev/zero", O_RDONLY));

	t_on(SIGPROF, on_tick, SA_RESTART);
	TRY(setitimer(ITIMER_PROF, &it, NULL));
	while (ticks < 20) {
		for (int i = 0; i < 20000; i++)
			work++;
		CHECK(read(fd, buf, sizeof(buf)) == sizeof(buf));
	}
	return 0;
}
