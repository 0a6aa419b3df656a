/* Peterson's algorithm with its first two lines exchanged: the turn is given away before the own
 * wish is known, and both can get in.
 *
 * kind: order-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int wish[2], turn, inside;

static void *enter(void *arg)
{
	int own = (int)(long)arg, other = !own;

	atomic_store(&turn, other);  /* BUG */
	atomic_store(&wish[own], 1); /* BUG */
	while (atomic_load(&wish[other]) && atomic_load(&turn) == other)
		sched_yield();
	assert(atomic_fetch_add(&inside, 1) == 0);
	atomic_fetch_sub(&inside, 1);
	atomic_store(&wish[own], 0);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, enter, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
