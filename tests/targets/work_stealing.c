/* The owner of a deque takes from its end while a thief takes from its front.  For the last task
 * both must decide by compare-and-swap who has it; the owner does not.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define TASKS 2

static atomic_int front, end = TASKS, runs[TASKS];

static void run(int task)
{
	atomic_fetch_add(&runs[task], 1);
}

static void *owner(void *arg)
{
	for (;;) {
		int e = atomic_fetch_sub(&end, 1) - 1;
		int f = atomic_load(&front);

		if (f > e) {
			atomic_store(&end, f);
			return arg;
		}
		run(e); /* BUG */
	}
}

static void *thief(void *arg)
{
	int f = atomic_load(&front);

	if (f < atomic_load(&end) && atomic_compare_exchange_strong(&front, &f, f + 1))
		run(f);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, owner, NULL);
	pthread_create(&two, NULL, thief, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	for (int i = 0; i < TASKS; i++)
		assert(runs[i] == 1);
	return 0;
}
