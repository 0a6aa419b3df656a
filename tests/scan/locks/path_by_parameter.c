/* if (x) lock; ...; if (x) unlock, with x a parameter, a global and a local. */
#include <pthread.h>
#include <stdlib.h>

int g1, g2, g3;
int mode;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void by_parameter(int x)
{
	if (x)
		pthread_mutex_lock(&m);
	if (x)
		g1++; // NORACE
	if (x)
		pthread_mutex_unlock(&m);
}

static void by_global(void)
{
	if (mode > 2)
		pthread_mutex_lock(&m);
	if (mode > 2)
		g2 = 1; // NORACE
	if (mode > 2)
		pthread_mutex_unlock(&m);
}

static void by_other(int x, int y)
{
	if (x)
		pthread_mutex_lock(&m);
	if (y)
		g3 = 1; // RACE
	if (x)
		pthread_mutex_unlock(&m);
}

void *t_fun(void *arg)
{
	int r = rand();

	by_parameter(r % 2);
	by_global();
	by_other(r % 2, rand() % 3);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	mode = rand();
	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
