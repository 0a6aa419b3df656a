/* A flag with release and acquire publishes plain data. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer(void *arg)
{
	data = 42;                                              // NORACE
	atomic_store_explicit(&ready, 1, memory_order_release); // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t;
	int seen;

	pthread_create(&t, NULL, producer, NULL);
	while (!atomic_load_explicit(&ready, memory_order_acquire)) // NORACE
		sched_yield();
	seen = data; // NORACE
	pthread_join(t, NULL);
	return seen != 42;
}
