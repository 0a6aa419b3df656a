/* What a thread returned is handed to two others. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *make(void *arg)
{
	return calloc(4, sizeof(int));
}

static void *first(void *arg)
{
	int *p = arg;

	p[0] = 1; // RACE
	p[1] = 1; // NORACE
	pthread_mutex_lock(&m);
	p[2]++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *second(void *arg)
{
	int *p = arg;

	p[0] = 2; // RACE
	pthread_mutex_lock(&m);
	p[2]++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	void *p = NULL;
	pthread_t a, b;

	pthread_create(&a, NULL, make, NULL);
	pthread_join(a, &p);
	pthread_create(&a, NULL, first, p);
	pthread_create(&b, NULL, second, p);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return ((int *)p)[0]; // NORACE
}
