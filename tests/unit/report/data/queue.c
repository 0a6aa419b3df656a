/* A queue whose consumer looks before it locks. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct queue {
	pthread_mutex_t lock;
	int *items;
	size_t count;
};

static int queue_pop(struct queue *q)
{
	if (q->count == 0)
		return -1;
	pthread_mutex_lock(&q->lock);
	assert(q->count > 0);
	int item = q->items[--q->count];
	pthread_mutex_unlock(&q->lock);
	return item;
}

static void *worker(void *arg)
{
	while (queue_pop(arg) >= 0)
		;
	return NULL;
}

int main(void)
{
	struct queue q = {PTHREAD_MUTEX_INITIALIZER, calloc(1, sizeof(int)), 1};
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, &q);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	free(q.items);
	return 0;
}
