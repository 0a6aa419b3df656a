/* Producer and consumer with a bounded count, and statistics outside the lock. */
#include <pthread.h>

static int items, produced, consumed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, less = PTHREAD_COND_INITIALIZER;

static void *producer(void *arg)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&m);
		while (items == 3) // NORACE
			pthread_cond_wait(&less, &m);
		items++; // NORACE
		pthread_cond_signal(&more);
		pthread_mutex_unlock(&m);
		produced++; // NORACE
	}
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, producer, NULL);
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&m);
		while (!items) // NORACE
			pthread_cond_wait(&more, &m);
		items--; // NORACE
		pthread_cond_signal(&less);
		pthread_mutex_unlock(&m);
		consumed++; // NORACE
	}
	pthread_join(id, NULL);
	return produced - consumed; // NORACE
}
