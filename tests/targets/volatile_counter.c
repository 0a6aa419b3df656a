/* A counter is volatile, which does not make its increment one step.
 *
 * kind: data-race
 * harm: status */
#include <pthread.h>

#define EACH 10

static volatile int counter;

static void *count(void *arg)
{
	for (int i = 0; i < EACH; i++)
		counter++; /* BUG */
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
