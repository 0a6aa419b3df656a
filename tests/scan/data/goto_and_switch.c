/* Locks over goto, switch and break. */
#include <pthread.h>
#include <stdlib.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void step(int k)
{
again:
	pthread_mutex_lock(&m);
	switch (k) {
	case 0:
		x = 1; // NORACE
		break;
	case 1:
		pthread_mutex_unlock(&m);
		y = 1; // RACE
		k = 0;
		goto again;
	default:
		x = 3; // NORACE
		y = 2; // RACE
	}
	pthread_mutex_unlock(&m);
}

void *t_fun(void *arg)
{
	for (int i = 0; i < 3; i++)
		step(i);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return x + y; // NORACE
}
