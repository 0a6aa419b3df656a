/* Two threads that wait, by spinning, for something that nobody does. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never;

static void *spin(void *arg)
{
	while (!atomic_load(&never))
		;
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, spin, NULL);
	pthread_create(&two, NULL, spin, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
