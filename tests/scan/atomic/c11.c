/* _Atomic variables, with operators and with the functions. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int hits;
static _Atomic long total;
static atomic_bool stop;

static void *worker(void *arg)
{
	while (!atomic_load(&stop)) {                                       // NORACE
		hits++;                                                     // NORACE
		atomic_fetch_add_explicit(&total, 3, memory_order_relaxed); // NORACE
		if (hits > 100)                                             // NORACE
			atomic_store(&stop, 1);                             // NORACE
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	total -= 1; // NORACE
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return total == 0; // NORACE
}
