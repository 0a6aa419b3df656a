/* A hand-made spin lock looks at the word and then writes it.  Two threads can both see it free.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int locked;
static atomic_int inside;

static void lock(void)
{
	while (atomic_load(&locked)) /* BUG */
		sched_yield();
	atomic_store(&locked, 1); /* BUG */
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
