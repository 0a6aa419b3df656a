/* deadlock_5.c, mended: one lock for the whole ring is taken around the two.
 *
 * kind: none */
#include <pthread.h>

#define NODES 5

struct node {
	pthread_mutex_t lock;
	struct node *next;
	int value, sum;
};

static struct node ring[NODES];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *merge(void *arg)
{
	struct node *n = arg;

	for (int i = 0; i < n->value; i++)
		n->sum += i;
	pthread_mutex_lock(&gate);
	pthread_mutex_lock(&n->lock);
	pthread_mutex_lock(&n->next->lock);
	n->value += n->next->value;
	pthread_mutex_unlock(&n->next->lock);
	pthread_mutex_unlock(&n->lock);
	pthread_mutex_unlock(&gate);
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
