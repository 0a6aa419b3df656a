/* bounded_buffer.c, mended: broadcast, so that all look again.
 *
 * kind: none */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full, item, sum;

static void *producer(void *arg)
{
	pthread_mutex_lock(&lock);
	while (full)
		pthread_cond_wait(&changed, &lock);
	item = *(int *)arg;
	full = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *consumer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	while (!full)
		pthread_cond_wait(&changed, &lock);
	sum += item;
	full = 0;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	int item_of[2] = {1, 2};
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, i < 2 ? producer : consumer, &item_of[i % 2]);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return sum != 3;
}
