/* Blocks travel through a ring with two ends; between them they belong to one thread. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 8

struct block {
	char *data;
	size_t used;
	int last;
};

struct ring {
	struct block *slots[SIZE];
	unsigned head, tail, count;
	pthread_mutex_t lock;
	pthread_cond_t not_empty, not_full;
};

static struct ring ring = {.lock = PTHREAD_MUTEX_INITIALIZER,
	.not_empty = PTHREAD_COND_INITIALIZER,
	.not_full = PTHREAD_COND_INITIALIZER};

static void put(struct ring *r, struct block *b)
{
	pthread_mutex_lock(&r->lock);
	while (r->count == SIZE) // NORACE
		pthread_cond_wait(&r->not_full, &r->lock);
	r->slots[r->tail] = b;          // NORACE
	r->tail = (r->tail + 1) % SIZE; // NORACE
	r->count++;                     // NORACE
	pthread_cond_signal(&r->not_empty);
	pthread_mutex_unlock(&r->lock);
}

static struct block *get(struct ring *r)
{
	struct block *b;

	pthread_mutex_lock(&r->lock);
	while (r->count == 0) // NORACE
		pthread_cond_wait(&r->not_empty, &r->lock);
	b = r->slots[r->head];          // NORACE
	r->head = (r->head + 1) % SIZE; // NORACE
	r->count--;                     // NORACE
	pthread_cond_signal(&r->not_full);
	pthread_mutex_unlock(&r->lock);
	return b;
}

static void *consumer(void *arg)
{
	long sum = 0;

	for (;;) {
		struct block *b = get(&ring);
		int last = b->last; // NORACE

		for (size_t i = 0; i < b->used; i++) // NORACE
			sum += b->data[i];           // NORACE
		b->used = 0;                         // NORACE
		free(b->data);                       // NORACE
		free(b);                             // NORACE
		if (last)
			return (void *)sum;
	}
}

static void produce(int n, int last)
{
	struct block *b = malloc(sizeof(*b));

	b->data = malloc(64);   // NORACE
	memset(b->data, n, 64); // NORACE
	b->used = 64;           // NORACE
	b->last = last;         // NORACE
	put(&ring, b);
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, consumer, NULL);
	for (int i = 0; i < 100; i++)
		produce(i, 0);
	produce(0, 1);
	produce(0, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
