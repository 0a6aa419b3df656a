/* One lock for a list and all its nodes; a node is private until it is linked in. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int value;
};

static struct node *head;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int value)
{
	struct node *n = malloc(sizeof(*n));

	n->value = value; // NORACE
	pthread_mutex_lock(&list_lock);
	n->next = head; // NORACE
	head = n;       // NORACE
	pthread_mutex_unlock(&list_lock);
}

static void age(void)
{
	pthread_mutex_lock(&list_lock);
	for (struct node *n = head; n; n = n->next) // NORACE
		n->value++;                         // NORACE
	pthread_mutex_unlock(&list_lock);
}

static void *worker(void *arg)
{
	for (int i = 0; i < 5; i++) {
		push(i);
		age();
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return head == NULL; // NORACE
}
