/* Calls an entry point of the instrumentation that no compiler has yet. */
#include <pthread.h>

void __tsan_from_the_future(void *p);

static int x;

static void *work(void *arg)
{
	__tsan_from_the_future(&x);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	return pthread_join(t, NULL);
}
