/* The pointer is one of two variables, depending on input. */
#include <pthread.h>
#include <stdlib.h>

static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	int *p = rand() & 1 ? &x : &y;

	*p = 3; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	x++; // RACE
	pthread_mutex_lock(&m);
	y++; // RACE
	pthread_mutex_unlock(&m);
	pthread_join(id, NULL);
	return 0;
}
