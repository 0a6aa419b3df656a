/* volatile_counter.c, mended: the counter is atomic.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>

#define EACH 10

static atomic_int counter;

static void *count(void *arg)
{
	for (int i = 0; i < EACH; i++)
		atomic_fetch_add(&counter, 1);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, count, NULL);
	pthread_create(&two, NULL, count, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return counter != 2 * EACH;
}
