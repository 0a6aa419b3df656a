/* A loop without any call or access to memory: no instrumentation ever gets a say. */
#include <pthread.h>

static void *loop(void *arg)
{
	for (;;)
		__asm__ volatile("pause");
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, loop, NULL);
	pthread_join(t, NULL);
	return 0;
}
