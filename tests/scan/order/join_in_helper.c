/* Start and stop are functions; the threads live in a global array between them. */
#include <pthread.h>

#define N 2

static pthread_t ids[N];
static int jobs;

static void *worker(void *arg)
{
	__atomic_fetch_add(&jobs, 1, __ATOMIC_RELAXED); // NORACE
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
	jobs = 5; // NORACE
	start();
	stop();
	return jobs; // NORACE
}
