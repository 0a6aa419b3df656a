/* Release and acquire order the data; relaxed does not. */
#include <pthread.h>
#include <stdatomic.h>

static int data, other;
static atomic_int ready, hint;

static void *t_fun(void *arg)
{
	data = 42; // NORACE
	atomic_store_explicit(&ready, 1, memory_order_release);
	other = 43; // RACE
	atomic_store_explicit(&hint, 1, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t id;
	int r = 0;

	pthread_create(&id, NULL, t_fun, NULL);
	while (!atomic_load_explicit(&ready, memory_order_acquire))
		;
	r += data; // NORACE
	while (!atomic_load_explicit(&hint, memory_order_relaxed))
		;
	r += other; // RACE
	pthread_join(id, NULL);
	return r;
}
