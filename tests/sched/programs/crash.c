/* usage: crash assert|abort|segv|overflow|thread-overflow|exit|self|barrier|forever|holds|free */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_t main_thread;
void __tsan_check_no_mutexes_held(void) __attribute__((weak));
static int deep(int n)
{
	volatile char frame[4096];
	memset((char *)frame, n, sizeof(frame));
	return n == 1000000000 ? 0 : deep(n + 1) + frame[n % 4096];
}
static void *overflow(void *p)
{
	deep(1);
	return p;
}
static void *joins(void *p)
{
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&m);
	return p;
}
static void *waits(void *p)
{
	pthread_barrier_wait(&barrier);
	return p;
}
static void *locks(void *p)
{
	for (;;) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	return p;
}
int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t t;
	main_thread = pthread_self();
	if (strcmp(how, "assert") == 0)
		assert(argc == 7);
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "segv") == 0)
		*(volatile int *)16 = 1;
	if (strcmp(how, "overflow") == 0)
		deep(1);
	if (strcmp(how, "exit") == 0)
		_exit(5);
	if (strcmp(how, "holds") == 0 || strcmp(how, "free") == 0) {
		pthread_mutex_lock(&m);
		if (strcmp(how, "free") == 0)
			pthread_mutex_unlock(&m);
		__tsan_check_no_mutexes_held();
		_exit(4);
	}
	if (strcmp(how, "thread-overflow") == 0)
		pthread_create(&t, NULL, overflow, NULL);
	if (strcmp(how, "self") == 0)
		pthread_create(&t, NULL, joins, NULL);
	if (strcmp(how, "barrier") == 0) {
		pthread_barrier_init(&barrier, NULL, 3);
		pthread_create(&t, NULL, waits, NULL);
	}
	if (strcmp(how, "forever") == 0)
		pthread_create(&t, NULL, locks, NULL);
	pthread_join(t, NULL);
	return 0;
}
