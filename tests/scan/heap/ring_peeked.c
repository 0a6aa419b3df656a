/* Consumers look at the front of a ring under the lock, and take it out only when they are done:
 * two of them work on one block. */
#include <pthread.h>
#include <stdlib.h>

#define SIZE 16

struct block {
	int value, used;
};

static struct block *slots[SIZE];
static unsigned head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct block *peek(void)
{
	struct block *b = NULL;

	pthread_mutex_lock(&lock);
	if (head != tail)               // NORACE
		b = slots[head % SIZE]; // NORACE
	pthread_mutex_unlock(&lock);
	return b;
}

static void drop(void)
{
	pthread_mutex_lock(&lock);
	if (head != tail) // NORACE
		head++;   // NORACE
	pthread_mutex_unlock(&lock);
}

static void *consumer(void *arg)
{
	for (int i = 0; i < SIZE; i++) {
		struct block *b = peek();

		if (!b)
			return NULL;
		b->used++;               // RACE
		b->value = b->value * 2; // RACE
		drop();
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < SIZE - 1; i++) {
		slots[tail] = calloc(1, sizeof(struct block)); // NORACE
		slots[tail++]->value = i;                      // NORACE
	}
	pthread_create(&a, NULL, consumer, NULL);
	pthread_create(&b, NULL, consumer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
