/* Two threads and a race, for builds that deadheat cannot use: without instrumentation, or static.
 */
#include <pthread.h>

static int counter;

static void *count(void *arg)
{
	counter++;
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, count, NULL);
	pthread_create(&two, NULL, count, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return counter == 0;
}
