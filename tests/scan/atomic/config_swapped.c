/* Readers take the present configuration; a writer makes a new one and swaps the pointer.  One
 * member is changed in place. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
	int workers, timeout;
	int level;
};

static _Atomic(struct config *) current;

static void *reader(void *arg)
{
	long sum = 0;

	for (int i = 0; i < 1000; i++) {
		struct config *c = atomic_load_explicit(&current, memory_order_acquire); // NORACE

		sum += c->workers + c->timeout; // NORACE
		sum += c->level;                // RACE
	}
	return (void *)sum;
}

static void update(int workers)
{
	struct config *old = atomic_load(&current); // NORACE
	struct config *c = malloc(sizeof(*c));

	c->workers = workers;                                     // NORACE
	c->timeout = old->timeout;                                // NORACE
	c->level = 0;                                             // NORACE
	atomic_store_explicit(&current, c, memory_order_release); // NORACE
}

static void set_level(int n)
{
	struct config *c = atomic_load(&current); // NORACE

	c->level = n; // RACE
}

int main(void)
{
	pthread_t t[2];
	struct config *c = calloc(1, sizeof(*c));

	c->workers = 1;            // NORACE
	atomic_store(&current, c); // NORACE
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, reader, NULL);
	for (int i = 0; i < 10; i++)
		update(i);
	set_level(3);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
