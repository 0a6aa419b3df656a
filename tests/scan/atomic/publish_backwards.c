/* The flag is set before the data is written. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer(void *arg)
{
	atomic_store_explicit(&ready, 1, memory_order_release);
	data = 42; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t;
	int seen;

	pthread_create(&t, NULL, producer, NULL);
	while (!atomic_load_explicit(&ready, memory_order_acquire))
		sched_yield();
	seen = data; // RACE
	pthread_join(t, NULL);
	return seen != 42;
}
