/* __atomic and __sync builtins on plain variables. */
#include <pthread.h>

static long hits;
static int owner;

static void *worker(void *arg)
{
	int expected = 0;

	__atomic_add_fetch(&hits, 1, __ATOMIC_RELAXED); // NORACE
	__sync_fetch_and_add(&hits, 1);                 // NORACE
	__sync_bool_compare_and_swap(&owner, 0, 1);     // NORACE
	__atomic_compare_exchange_n(&owner, &expected, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	long seen;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	seen = __atomic_load_n(&hits, __ATOMIC_RELAXED); // NORACE
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return seen > hits; // NORACE
}
