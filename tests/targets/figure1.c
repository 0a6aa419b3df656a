/* Figure 1 of "Race directed random testing of concurrent programs".  The pair over z is a race
 * and reaches ERROR1; the pair over x looks like one, but the value of y keeps its two statements
 * apart.
 *
 * kind: data-race
 * harm: abort */
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
	if (z == 1) /* BUG */
		error();
	return arg;
}

static void *thread2(void *arg)
{
	z = 1; /* BUG */
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
	return 0;
}
