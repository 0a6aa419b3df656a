/* The next node's lock is taken before this node's is given back. */
#include <pthread.h>

struct node {
	pthread_mutex_t lock;
	int value;
	struct node *next;
};

static struct node last = {PTHREAD_MUTEX_INITIALIZER, 0, NULL};
static struct node middle = {PTHREAD_MUTEX_INITIALIZER, 0, &last};
static struct node head = {PTHREAD_MUTEX_INITIALIZER, 0, &middle};

static void *walk(void *arg)
{
	struct node *n = &head;

	pthread_mutex_lock(&n->lock);
	for (;;) {
		struct node *next = n->next; // NORACE

		n->value++; // NORACE
		if (!next)
			break;
		pthread_mutex_lock(&next->lock); // NODEADLOCK NOMISUSE
		pthread_mutex_unlock(&n->lock);
		n = next;
	}
	pthread_mutex_unlock(&n->lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, walk, NULL);
	pthread_create(&b, NULL, walk, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return last.value; // NORACE
}
