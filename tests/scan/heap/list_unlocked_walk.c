/* The list is changed under its lock and walked without it. */
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

	n->value = value; // MAYBE RACE
	pthread_mutex_lock(&list_lock);
	n->next = head; // MAYBE RACE
	head = n;       // RACE
	pthread_mutex_unlock(&list_lock);
}

static void age(void)
{
	for (struct node *n = head; n; n = n->next) // RACE
		n->value++;                         // RACE
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
