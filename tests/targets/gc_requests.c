/* A collector waits until all others are outside of their requests.  A request that ends tells it
 * only if it has seen that somebody collects, and it looked before the collector had said so.
 *
 * kind: lost-wakeup
 * harm: deadlock, hang */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t quiet = PTHREAD_COND_INITIALIZER, collected = PTHREAD_COND_INITIALIZER;
static int requests, garbage;
static bool collecting;

static bool begin_request(void)
{
	bool seen;

	pthread_mutex_lock(&lock);
	while (collecting)
		pthread_cond_wait(&collected, &lock);
	requests++;
	garbage++;
	seen = collecting;
	pthread_mutex_unlock(&lock);
	return seen;
}

static void end_request(bool collector_waits)
{
	pthread_mutex_lock(&lock);
	requests--;
	if (collector_waits && requests == 0) /* BUG */
		pthread_cond_signal(&quiet);
	pthread_mutex_unlock(&lock);
}

static void *mutator(void *arg)
{
	for (int i = 0; i < 3; i++) {
		bool seen = begin_request();

		end_request(seen);
	}
	return arg;
}

static void *collector(void *arg)
{
	pthread_mutex_lock(&lock);
	collecting = true;
	while (requests > 0)
		pthread_cond_wait(&quiet, &lock);
	garbage = 0;
	collecting = false;
	pthread_cond_broadcast(&collected);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t threads[3];

	pthread_create(&threads[0], NULL, mutator, NULL);
	pthread_create(&threads[1], NULL, mutator, NULL);
	pthread_create(&threads[2], NULL, collector, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
