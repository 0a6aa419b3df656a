/* Two threads put a node at the head of a list without a lock.  Both point to the old head, and
 * one of the nodes is lost.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct node {
	struct node *next;
};

static struct node *head;

static void *insert(void *arg)
{
	struct node *n = arg;

	n->next = head; /* BUG */
	head = n;       /* BUG */
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
