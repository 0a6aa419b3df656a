/* atomic_pair.c, mended: the divisor is read once, and it alone decides.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum = 12, count = 3;

static void *average(void *arg)
{
	int n = atomic_load(&count);

	if (n > 0)
		*(int *)arg = atomic_load(&sum) / n;
	return NULL;
}

static void *reset(void *arg)
{
	atomic_store(&count, 0);
	atomic_store(&sum, 0);
	return arg;
}

int main(void)
{
	pthread_t one, two;
	int result = 0;

	pthread_create(&one, NULL, average, &result);
	pthread_create(&two, NULL, reset, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return result > 12;
}
