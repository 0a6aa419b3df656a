/* A lookup without the bucket's lock. */
#include <pthread.h>
#include <stdlib.h>

#define SIZE 4

struct entry {
	struct entry *next;
	int key;
};

struct bucket {
	pthread_mutex_t lock;
	struct entry *first;
};

static struct bucket buckets[SIZE];

static void insert(int key)
{
	struct bucket *b = &buckets[key % SIZE];
	struct entry *e = malloc(sizeof(*e));

	e->key = key; // NORACE
	pthread_mutex_lock(&b->lock);
	e->next = b->first; // NORACE
	b->first = e;       // RACE
	pthread_mutex_unlock(&b->lock);
}

static int is_empty(int key)
{
	return buckets[key % SIZE].first == NULL; // RACE
}

static void *worker(void *arg)
{
	for (int k = 0; k < 20; k++)
		if (is_empty(k))
			insert(k);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < SIZE; i++)
		pthread_mutex_init(&buckets[i].lock, NULL);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
