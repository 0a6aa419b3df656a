/* Figure 2 of "Race directed random testing of concurrent programs" with STATEMENTS statements
 * before the racing one.  ERROR is reached when the reading comes before the writing, which is less
 * likely the more stands before it, unless the scheduler waits for the other side.
 *
 * sizes: STATEMENTS = 10, 1000, 100000
 * kind: data-race
 * harm: abort */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t L = PTHREAD_MUTEX_INITIALIZER;
static int x;
static volatile int work;

static void f(int statements)
{
	for (int i = 0; i < statements; i++)
		work++;
}

static void *thread1(void *arg)
{
	pthread_mutex_lock(&L);
	f(STATEMENTS);
	pthread_mutex_unlock(&L);
	if (x == 0) /* BUG */
		abort();
	return arg;
}

static void *thread2(void *arg)
{
	x = 1; /* BUG */
	pthread_mutex_lock(&L);
	f(1);
	pthread_mutex_unlock(&L);
	return arg;
}

int main(void)
{
	pthread_t one;

	pthread_create(&one, NULL, thread1, NULL);
	thread2(NULL);
	pthread_join(one, NULL);
	return 0;
}
