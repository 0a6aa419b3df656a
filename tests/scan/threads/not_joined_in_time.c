/* The second thread starts before the first one is joined. */
#include <pthread.h>

static int stage;

static void *first(void *arg)
{
	stage += 1; // RACE
	return NULL;
}

static void *second(void *arg)
{
	stage *= 2; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	stage += 10; // RACE
	pthread_join(b, NULL);
	return stage; // NORACE
}
