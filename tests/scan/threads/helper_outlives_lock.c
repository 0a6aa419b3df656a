/* A helper thread is started under the lock, but the lock is given back before the helper ends: by
 * an unlock, and by waiting for a condition. */
#include <pthread.h>

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int entries, queued, ready;

static void *reader(void *arg)
{
	pthread_mutex_lock(&table_lock);
	entries--; // RACE
	pthread_mutex_unlock(&table_lock);
	pthread_mutex_lock(&queue_lock);
	queued--; // RACE
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&queue_lock);
	return NULL;
}

static void *rebuild(void *arg)
{
	entries = 100; // RACE
	return NULL;
}

static void *fill(void *arg)
{
	queued = 8; // RACE
	return NULL;
}

int main(void)
{
	pthread_t r, helper, filler;

	pthread_create(&r, NULL, reader, NULL);
	pthread_mutex_lock(&table_lock);
	pthread_create(&helper, NULL, rebuild, NULL);
	pthread_mutex_unlock(&table_lock);
	pthread_join(helper, NULL);

	pthread_mutex_lock(&queue_lock);
	pthread_create(&filler, NULL, fill, NULL);
	while (!ready)
		pthread_cond_wait(&changed, &queue_lock);
	pthread_join(filler, NULL);
	pthread_mutex_unlock(&queue_lock);
	pthread_join(r, NULL);
	return 0;
}
