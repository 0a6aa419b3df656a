/* spinlock_by_hand.c, mended: an atomic exchange looks and writes at once.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int locked;
static atomic_int inside;

static void lock(void)
{
	while (atomic_exchange(&locked, 1))
		sched_yield();
}

static void unlock(void)
{
	atomic_store(&locked, 0);
}

static void *worker(void *arg)
{
	for (int i = 0; i < 2; i++) {
		lock();
		assert(atomic_fetch_add(&inside, 1) == 0);
		atomic_fetch_sub(&inside, 1);
		unlock();
	}
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
