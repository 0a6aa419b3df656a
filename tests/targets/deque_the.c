/* A deque of tasks for one owner and thieves.  The owner takes from its end without the lock as
 * long as there seems to be more than one task, but looks at the thieves' end too early.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define TASKS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int head, tail;
static int tasks[TASKS];
static atomic_int done[TASKS];

static void push(int task)
{
	int t = atomic_load(&tail);

	tasks[t] = task;
	atomic_store(&tail, t + 1);
}

static int pop(void)
{
	int h = atomic_load(&head), t = atomic_load(&tail) - 1; /* BUG */

	atomic_store(&tail, t);
	if (h <= t) /* BUG */
		return tasks[t];
	atomic_store(&tail, t + 1);
	pthread_mutex_lock(&lock);
	t = atomic_load(&tail) - 1;
	atomic_store(&tail, t);
	if (atomic_load(&head) <= t) {
		pthread_mutex_unlock(&lock);
		return tasks[t];
	}
	atomic_store(&tail, t + 1);
	pthread_mutex_unlock(&lock);
	return -1;
}

static int steal(void)
{
	int task = -1, h;

	pthread_mutex_lock(&lock);
	h = atomic_load(&head);
	atomic_store(&head, h + 1);
	if (h + 1 <= atomic_load(&tail))
		task = tasks[h];
	else
		atomic_store(&head, h);
	pthread_mutex_unlock(&lock);
	return task;
}

static void run(int task)
{
	assert(atomic_fetch_add(&done[task], 1) == 0);
}

static void *thief(void *arg)
{
	for (int i = 0; i < 2; i++) {
		int task = steal();

		if (task >= 0)
			run(task);
	}
	return arg;
}

int main(void)
{
	pthread_t thread;
	int task;

	for (int i = 0; i < TASKS; i++)
		push(i);
	pthread_create(&thread, NULL, thief, NULL);
	while ((task = pop()) >= 0)
		run(task);
	pthread_join(thread, NULL);
	for (int i = 0; i < TASKS; i++)
		assert(done[i] == 1);
	return 0;
}
