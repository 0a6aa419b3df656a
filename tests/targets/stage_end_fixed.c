/* Three stages with queues between them, two threads in the middle one.  The last of these that
 * sees the end passes it on.
 *
 * kind: none */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 6
#define END   (-1)

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t more;
	int items[ITEMS * 2], first, last;
};

#define QUEUE                                                                                      \
	{                                                                                          \
		PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0                     \
	}
static struct queue in = QUEUE, out = QUEUE;
static int workers = 2;

static void put(struct queue *q, int item)
{
	pthread_mutex_lock(&q->lock);
	q->items[q->last++] = item;
	pthread_cond_signal(&q->more);
	pthread_mutex_unlock(&q->lock);
}

static int get(struct queue *q)
{
	int item;

	pthread_mutex_lock(&q->lock);
	while (q->first == q->last)
		pthread_cond_wait(&q->more, &q->lock);
	item = q->items[q->first];
	if (item != END)
		q->first++;
	else
		pthread_cond_signal(&q->more);
	pthread_mutex_unlock(&q->lock);
	return item;
}

static void *middle(void *arg)
{
	int item;

	while ((item = get(&in)) != END)
		put(&out, item * item);
	if (__atomic_sub_fetch(&workers, 1, __ATOMIC_ACQ_REL) == 0)
		put(&out, END);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	int item, sum = 0;

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, middle, NULL);
	for (int i = 0; i < ITEMS; i++)
		put(&in, i);
	put(&in, END);
	while ((item = get(&out)) != END)
		sum += item;
	if (sum != 55) {
		fprintf(stderr, "the sum is %d\n", sum);
		exit(EXIT_FAILURE);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
