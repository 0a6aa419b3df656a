/* A list with its own lock hands elements to a bounded queue; the list's lock is not kept
 * meanwhile.
 *
 * kind: none */
#include <pthread.h>

#define ITEMS 6
#define ROOM  5

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER, more = PTHREAD_COND_INITIALIZER;
static int left = ITEMS, queued, finished;

static void put(void)
{
	pthread_mutex_lock(&queue_lock);
	while (queued == ROOM)
		pthread_cond_wait(&room, &queue_lock);
	queued++;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&queue_lock);
}

static void *feeder(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		pthread_mutex_lock(&list_lock);
		left--;
		pthread_mutex_unlock(&list_lock);
		put();
	}
	return arg;
}

static void *eater(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		pthread_mutex_lock(&list_lock);
		finished++;
		pthread_mutex_unlock(&list_lock);
		pthread_mutex_lock(&queue_lock);
		while (!queued)
			pthread_cond_wait(&more, &queue_lock);
		queued--;
		pthread_cond_signal(&room);
		pthread_mutex_unlock(&queue_lock);
	}
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, eater, NULL);
	pthread_create(&threads[1], NULL, feeder, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
