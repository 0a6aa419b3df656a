/* Numerator and denominator are two atomics that only mean something together; the divisor can be
 * zero while the flag still says that it is not.
 *
 * kind: atomicity-violation
 * harm: crash */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum = 12, count = 3;

static void *average(void *arg)
{
	if (atomic_load(&count) > 0)                                   /* BUG */
		*(int *)arg = atomic_load(&sum) / atomic_load(&count); /* BUG */
	return NULL;
}

static void *reset(void *arg)
{
	atomic_store(&count, 0); /* BUG */
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
