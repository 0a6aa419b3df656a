/* A local of main that two threads get by address. */
#include <pthread.h>

static void *add(void *arg)
{
	long *sum = arg;

	*sum += 5; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	long sum = 0;

	pthread_create(&a, NULL, add, &sum);
	pthread_create(&b, NULL, add, &sum);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return (int)sum; // NORACE
}
