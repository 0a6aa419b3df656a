/* work_stealing.c, mended: the owner takes the last task by moving the front, as a thief does.
 *
 * kind: none */
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
		if (f < e) {
			run(e);
			continue;
		}
		if (atomic_compare_exchange_strong(&front, &f, f + 1))
			run(e);
		atomic_store(&end, e + 1);
		return arg;
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
