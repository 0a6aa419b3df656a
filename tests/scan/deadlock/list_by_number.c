/* Locks of nodes that are known by their type only, against the order of their numbers in one
 * function. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	unsigned long number;
	int value;
	pthread_mutex_t m;
	struct node *next;
};

static struct node *nodes;

static void swap(struct node *x, struct node *y)
{
	if (x->number < y->number) {
		pthread_mutex_lock(&x->m); // DEADLOCK
		pthread_mutex_lock(&y->m); // DEADLOCK
		x->value += y->value;
		pthread_mutex_unlock(&y->m);
		pthread_mutex_unlock(&x->m);
	}
}

static void swap_back(struct node *x, struct node *y)
{
	if (x->number < y->number) {
		pthread_mutex_lock(&y->m); // DEADLOCK
		pthread_mutex_lock(&x->m); // DEADLOCK
		y->value += x->value;
		pthread_mutex_unlock(&x->m);
		pthread_mutex_unlock(&y->m);
	}
}

static void *worker(void *arg)
{
	for (struct node *n = nodes; n; n = n->next)
		for (struct node *k = n->next; k; k = k->next) {
			swap(n, k);
			swap_back(n, k);
		}
	return NULL;
}

int main(void)
{
	pthread_t t, u;

	for (int i = 0; i < 5; i++) {
		struct node *n = calloc(1, sizeof(*n));

		n->number = (unsigned long)i;
		pthread_mutex_init(&n->m, NULL);
		n->next = nodes;
		nodes = n;
	}
	pthread_create(&t, NULL, worker, NULL);
	pthread_create(&u, NULL, worker, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
