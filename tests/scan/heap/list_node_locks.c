/* A list whose nodes have mutexes, walked by two threads; the list itself never changes. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	pthread_mutex_t lock;
	int value;
};

static struct node *head;

static void *t_fun(void *arg)
{
	for (struct node *n = head; n; n = n->next) { // NORACE
		pthread_mutex_lock(&n->lock);
		n->value++; // NORACE
		pthread_mutex_unlock(&n->lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < 5; i++) {
		struct node *n = malloc(sizeof(*n));

		n->value = i; // NORACE
		pthread_mutex_init(&n->lock, NULL);
		n->next = head; // NORACE
		head = n;       // NORACE
	}
	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
