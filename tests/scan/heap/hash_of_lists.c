/* A hash table of lists with one mutex per bucket. */
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 16

struct node {
	struct node *next;
	int key, count;
};

struct bucket {
	pthread_mutex_t lock;
	struct node *head;
};

static struct bucket table[BUCKETS];

static void count(int key)
{
	struct bucket *b = &table[(unsigned)key % BUCKETS];
	struct node *n;

	pthread_mutex_lock(&b->lock);
	for (n = b->head; n; n = n->next) // NORACE
		if (n->key == key)        // NORACE
			break;
	if (!n) {
		n = malloc(sizeof(*n));
		n->key = key;      // NORACE
		n->count = 0;      // NORACE
		n->next = b->head; // NORACE
		b->head = n;       // NORACE
	}
	n->count++; // NORACE
	pthread_mutex_unlock(&b->lock);
}

static void *t_fun(void *arg)
{
	for (int i = 0; i < 100; i++)
		count(i * 3);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < BUCKETS; i++)
		pthread_mutex_init(&table[i].lock, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, t_fun, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
