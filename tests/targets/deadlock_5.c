/* Five nodes each merge with the next.  The locks are error-checking ones and each node does some
 * work before it begins, but the five still form a ring.
 *
 * kind: deadlock
 * harm: deadlock */
#include <pthread.h>

#define NODES 5

struct node {
	pthread_mutex_t lock;
	struct node *next;
	int value, sum;
};

static struct node ring[NODES];

static void *merge(void *arg)
{
	struct node *n = arg;

	for (int i = 0; i < n->value; i++)
		n->sum += i;
	pthread_mutex_lock(&n->lock);
	pthread_mutex_lock(&n->next->lock); /* BUG */
	n->value += n->next->value;
	pthread_mutex_unlock(&n->next->lock);
	pthread_mutex_unlock(&n->lock);
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t checking;
	pthread_t threads[NODES];

	pthread_mutexattr_init(&checking);
	pthread_mutexattr_settype(&checking, PTHREAD_MUTEX_ERRORCHECK);
	for (int i = 0; i < NODES; i++) {
		pthread_mutex_init(&ring[i].lock, &checking);
		ring[i].next = &ring[(i + 1) % NODES];
		ring[i].value = 10 + i;
	}
	for (int i = 0; i < NODES; i++)
		pthread_create(&threads[i], NULL, merge, &ring[i]);
	for (int i = 0; i < NODES; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
