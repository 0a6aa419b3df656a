/* One lock for each row of a table of lists; the lists are known by name, too. */
#include <pthread.h>
#include <stdlib.h>

#define N 16

struct node {
	int value;
	struct node *next;
};

static pthread_mutex_t m[N];
static struct node *rows[N];

static struct node *node_new(int value)
{
	struct node *n = malloc(sizeof(*n));

	n->value = value; // NORACE
	n->next = NULL;   // NORACE
	return n;
}

static void insert(struct node *head, struct node *n)
{
	n->next = head->next; // NORACE
	head->next = n;       // NORACE
}

static void *worker(void *arg)
{
	unsigned i = (unsigned)rand() % N;

	pthread_mutex_lock(&m[i]);
	insert(rows[i], node_new(1));
	pthread_mutex_unlock(&m[i]);
	return NULL;
}

int main(void)
{
	unsigned j = (unsigned)rand() % N;
	pthread_t t;

	for (int i = 0; i < N; i++)
		pthread_mutex_init(&m[i], NULL);
	rows[j] = node_new(0); // NORACE
	insert(rows[j], node_new(2));
	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&m[j]);
	rows[j]->next = NULL; // NORACE
	pthread_mutex_unlock(&m[j]);
	pthread_join(t, NULL);
	return 0;
}
