/* Whoever takes a node out of the list under the lock owns it. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int work;
};

static struct node *todo;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct node *take(void)
{
	struct node *n;

	pthread_mutex_lock(&m);
	n = todo; // NORACE
	if (n)
		todo = n->next; // NORACE
	pthread_mutex_unlock(&m);
	return n;
}

static void *worker(void *arg)
{
	struct node *n;

	while ((n = take())) {
		n->work *= 2; // NORACE
		free(n);      // NORACE
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < 6; i++) {
		struct node *n = malloc(sizeof(*n));

		n->work = i;    // NORACE
		n->next = todo; // NORACE
		todo = n;       // NORACE
	}
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return todo != NULL; // NORACE
}
