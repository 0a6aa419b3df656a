/* The same, and a statistics loop that takes no lock. */
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 16

struct node {
	struct node *next;
	int key, count;
};

static struct bucket {
	pthread_mutex_t lock;
	struct node *head;
} table[BUCKETS];

static void *t_fun(void *arg)
{
	for (int i = 0; i < 100; i++) {
		struct bucket *b = &table[(unsigned)i % BUCKETS];
		struct node *n = malloc(sizeof(*n));

		n->key = i;
		pthread_mutex_lock(&b->lock);
		n->next = b->head; // NORACE
		b->head = n;       // RACE
		pthread_mutex_unlock(&b->lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;
	int n = 0;

	for (int i = 0; i < BUCKETS; i++)
		pthread_mutex_init(&table[i].lock, NULL);
	pthread_create(&t, NULL, t_fun, NULL);
	for (int i = 0; i < BUCKETS; i++)
		if (table[i].head) // RACE
			n++;
	pthread_join(t, NULL);
	return n;
}
