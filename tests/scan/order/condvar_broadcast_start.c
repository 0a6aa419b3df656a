/* Workers wait for the start; what main sets up before it is theirs. */
#include <pthread.h>

static int config, go, started, changed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	started++;  // NORACE
	while (!go) // NORACE
		pthread_cond_wait(&start, &m);
	pthread_mutex_unlock(&m);
	return (void *)(long)(config + changed); // RACE
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	config = 7; // NORACE
	pthread_mutex_lock(&m);
	go = 1; // NORACE
	pthread_cond_broadcast(&start);
	pthread_mutex_unlock(&m);
	changed = 1; // RACE
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return started == 5; // NORACE
}
