/* A hash table: each bucket has its lock and its list. */
#include <pthread.h>
#include <stdlib.h>

#define SIZE 4

struct entry {
	struct entry *next;
	int key, uses;
};

struct bucket {
	pthread_mutex_t lock;
	struct entry *first;
};

static struct bucket buckets[SIZE];

static void use(int key)
{
	struct bucket *b = &buckets[key % SIZE];
	struct entry *e;

	pthread_mutex_lock(&b->lock);
	for (e = b->first; e; e = e->next) // NORACE
		if (e->key == key)         // NORACE
			break;
	if (!e) {
		e = calloc(1, sizeof(*e));
		e->key = key;       // NORACE
		e->next = b->first; // NORACE
		b->first = e;       // NORACE
	}
	e->uses++; // NORACE
	pthread_mutex_unlock(&b->lock);
}

static void *worker(void *arg)
{
	for (int k = 0; k < 20; k++)
		use(k);
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
