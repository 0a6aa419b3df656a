/* Blocks go from a ring of full ones to a ring of empty ones and back.  Who has put one back must
 * not use it any more. */
#include <pthread.h>
#include <stdlib.h>

#define SIZE 4

struct block {
	int value, users;
};

struct ring {
	struct block *slots[SIZE];
	int first, count;
	pthread_mutex_t lock;
	pthread_cond_t more;
};

static struct ring full = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};
static struct ring empty = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};

static void put(struct ring *r, struct block *b)
{
	pthread_mutex_lock(&r->lock);
	r->slots[(r->first + r->count) % SIZE] = b; // NORACE
	r->count++;                                 // NORACE
	pthread_cond_signal(&r->more);
	pthread_mutex_unlock(&r->lock);
}

static struct block *take(struct ring *r)
{
	struct block *b;

	pthread_mutex_lock(&r->lock);
	while (!r->count) // NORACE
		pthread_cond_wait(&r->more, &r->lock);
	b = r->slots[r->first];           // NORACE
	r->first = (r->first + 1) % SIZE; // NORACE
	r->count--;                       // NORACE
	pthread_mutex_unlock(&r->lock);
	return b;
}

static void *consumer(void *arg)
{
	long sum = 0;

	for (int i = 0; i < 100; i++) {
		struct block *b = take(&full);

		sum += b->value; // NORACE
		put(&empty, b);
		b->users--; // RACE
	}
	return (void *)sum;
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i < SIZE; i++)
		put(&empty, calloc(1, sizeof(struct block)));
	pthread_create(&t, NULL, consumer, NULL);
	for (int i = 0; i < 100; i++) {
		struct block *b = take(&empty);

		b->value = i; // NORACE
		b->users = 1; // RACE
		put(&full, b);
	}
	pthread_join(t, NULL);
	return 0;
}
