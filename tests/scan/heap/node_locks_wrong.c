/* The lock of the head is held while the value of every node is changed; others lock the node. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	pthread_mutex_t lock;
	int value;
};

static struct node *head;

static void *by_head(void *arg)
{
	pthread_mutex_lock(&head->lock);
	for (struct node *n = head; n; n = n->next) // NORACE
		n->value++;                         // MISS RACE
	pthread_mutex_unlock(&head->lock);
	return NULL;
}

static void *by_node(void *arg)
{
	struct node *n = head->next; // NORACE

	pthread_mutex_lock(&n->lock);
	n->value--; // MISS RACE
	pthread_mutex_unlock(&n->lock);
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
	pthread_create(&a, NULL, by_head, NULL);
	pthread_create(&b, NULL, by_node, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return head->value; // NORACE
}
