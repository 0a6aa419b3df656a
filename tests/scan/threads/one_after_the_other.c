/* Each thread is joined before the next one starts. */
#include <pthread.h>

static int stage;

static void *first(void *arg)
{
	stage += 1; // NORACE
	return NULL;
}

static void *second(void *arg)
{
	stage *= 2; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, first, NULL);
	pthread_join(t, NULL);
	stage += 10; // NORACE
	pthread_create(&t, NULL, second, NULL);
	pthread_join(t, NULL);
	return stage; // NORACE
}
