/* Before the first create and after the last join main is alone; between them it is not. */
#include <pthread.h>

static int phase;

static void *worker(void *arg)
{
	phase++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t;

	phase = 1; // NORACE
	pthread_create(&t, NULL, worker, NULL);
	phase = 2; // RACE
	pthread_join(t, NULL);
	phase = 3;    // NORACE
	return phase; // NORACE
}
