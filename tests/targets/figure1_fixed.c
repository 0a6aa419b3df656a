/* figure1.c, mended: z is written when both threads are over.  The pair over x is still
 * predicted, and refuted.
 *
 * kind: none */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t L = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;

static void error(void)
{
	abort();
}

static void *thread1(void *arg)
{
	x = 1; /* not a race with its reading below */
	pthread_mutex_lock(&L);
	y = 1;
	pthread_mutex_unlock(&L);
	if (z == 1)
		error();
	return arg;
}

static void *thread2(void *arg)
{
	pthread_mutex_lock(&L);
	if (y == 1) {
		if (x != 1)
			error();
	}
	pthread_mutex_unlock(&L);
	return arg;
}

int main(void)
{
	pthread_t two;

	pthread_create(&two, NULL, thread2, NULL);
	thread1(NULL);
	pthread_join(two, NULL);
	z = 1;
	return 0;
}
