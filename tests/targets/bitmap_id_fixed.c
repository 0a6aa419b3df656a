/* Numbers are given out from a bitmap: a free bit is looked for, and set if it is still free.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic uint64_t map;
static atomic_int user[64];

static int take_id(void)
{
	for (int i = 0; i < 64; i++) {
		uint64_t bit = UINT64_C(1) << i;

		if (atomic_load(&map) & bit)
			continue;
		if (atomic_fetch_or(&map, bit) & bit)
			continue;
		return i;
	}
	abort();
}

static void free_id(int i)
{
	atomic_fetch_and(&map, ~(UINT64_C(1) << i));
}

static void *worker(void *arg)
{
	for (int i = 0; i < 3; i++) {
		int id = take_id();

		if (atomic_exchange(&user[id], 1))
			abort();
		atomic_store(&user[id], 0);
		free_id(id);
	}
	return arg;
}

int main(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
