/* membarrier: query, register, use. */
#include "t.h"
#include <linux/membarrier.h>

static volatile int stop;

static void *spin(void *arg)
{
	while (!stop)
		continue;
	return arg;
}

int main(void)
{
	long mask = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
	pthread_t th;

	CHECK(mask >= 0 || errno == ENOSYS);
	say("mask %lx pid %d\n", mask, getpid());
	TRY0(pthread_create(&th, NULL, spin, NULL));
	if (mask > 0 && mask & MEMBARRIER_CMD_PRIVATE_EXPEDITED) {
		TRY(syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0));
		for (int i = 0; i < 10; i++)
			TRY(syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0));
	}
	stop = 1;
	TRY0(pthread_join(th, NULL));
	return 0;
}
