/* Main reads between start and stop. */
#include <pthread.h>

#define N 2

static pthread_t ids[N];
static int jobs;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	jobs++; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static void start(void)
{
	for (int i = 0; i < N; i++)
		pthread_create(&ids[i], NULL, worker, NULL);
}

static void stop(void)
{
	for (int i = 0; i < N; i++)
		pthread_join(ids[i], NULL);
}

int main(void)
{
	int early;

	jobs = 5; // NORACE
	start();
	early = jobs; // RACE
	stop();
	return early + jobs; // NORACE
}
