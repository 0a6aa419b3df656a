/* figure2.c, mended: thread1 begins when x is written.
 *
 * sizes: STATEMENTS = 10, 1000, 100000
 * kind: none */
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
	if (x == 0)
		abort();
	return arg;
}

static void *thread2(void *arg)
{
	x = 1;
	pthread_mutex_lock(&L);
	f(1);
	pthread_mutex_unlock(&L);
	return arg;
}

int main(void)
{
	pthread_t one;

	thread2(NULL);
	pthread_create(&one, NULL, thread1, NULL);
	pthread_join(one, NULL);
	return 0;
}
