/* One thread of several dies by a signal, and takes the process along.
 * ends: SIGSEGV */
#include "t.h"

static void *busy(void *arg)
{
	for (;;)
		sched_yield();
	return arg;
}

static void *crash(void *arg)
{
	say("thread %d crashes at %lu\n", gettid(), t_now_ns());
	*(volatile char *)(uintptr_t)(t_rand() % 4096) = 1;
	return arg;
}

int main(void)
{
	struct rlimit none = {0, 0};
	pthread_t th;

	TRY(setrlimit(RLIMIT_CORE, &none));
	TRY0(pthread_create(&th, NULL, busy, NULL));
	TRY0(pthread_create(&th, NULL, crash, NULL));
	TRY0(pthread_join(th, NULL));
	return 0;
}
