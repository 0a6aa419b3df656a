/* The loop that joins begins with the second thread: the first one may still run. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	sum++; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t ids[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&ids[i], NULL, worker, NULL);
	for (int i = 1; i < 4; i++)
		pthread_join(ids[i], NULL);
	return sum; // RACE
}
