/* A compressor's main thread waits until the queue is empty and then takes the queue down, while
 * the consumer that has taken the last block is still on its way to unlock the queue's mutex.
 *
 * kind: order-violation
 * harm: heap, crash, abort, deadlock */
#include <pthread.h>
#include <stdlib.h>

#define BLOCKS 3

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t taken;
	int left, packed;
};

static void *consumer(void *arg)
{
	struct queue *q = arg;

	for (int more = 1; more;) {
		pthread_mutex_lock(&q->lock); /* BUG */
		more = q->left > 0;
		if (more)
			q->left--;
		pthread_cond_signal(&q->taken);
		pthread_mutex_unlock(&q->lock);
	}
	return NULL;
}

int main(void)
{
	struct queue *q = calloc(1, sizeof(*q));
	pthread_t t;

	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->taken, NULL);
	q->left = BLOCKS;
	pthread_create(&t, NULL, consumer, q);
	pthread_mutex_lock(&q->lock);
	while (q->left > 0)
		pthread_cond_wait(&q->taken, &q->lock);
	pthread_mutex_unlock(&q->lock);
	pthread_mutex_destroy(&q->lock);
	pthread_cond_destroy(&q->taken);
	free(q); /* BUG */
	pthread_join(t, NULL);
	return 0;
}
