/* list_insert.c, mended: the head is exchanged by compare-and-swap.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
	struct node *next;
};

static _Atomic(struct node *) head;

static void *insert(void *arg)
{
	struct node *n = arg;

	n->next = atomic_load(&head);
	while (!atomic_compare_exchange_weak(&head, &n->next, n))
		;
	return NULL;
}

int main(void)
{
	struct node nodes[3] = {0};
	pthread_t threads[3];
	int count = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, insert, &nodes[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	for (struct node *n = head; n; n = n->next)
		count++;
	assert(count == 3);
	return 0;
}
