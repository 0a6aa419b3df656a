/* A fixed list whose nodes have locks of their own. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	pthread_mutex_t lock;
	int value, peeks;
};

static struct node *head;

static void *worker(void *arg)
{
	for (struct node *n = head; n; n = n->next) { // NORACE
		pthread_mutex_lock(&n->lock);
		n->value++; // NORACE
		pthread_mutex_unlock(&n->lock);
		n->peeks++; // RACE
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < 3; i++) {
		struct node *n = calloc(1, sizeof(*n));

		pthread_mutex_init(&n->lock, NULL);
		n->next = head; // NORACE
		head = n;       // NORACE
	}
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return head->value; // NORACE
}
