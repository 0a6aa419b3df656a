/* A lock for readers and writers, made of one number.  A reader that finds something to change
 * waits until it is the only one left; two of them wait for each other.
 *
 * kind: deadlock
 * harm: hang, deadlock */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int state; /* readers; -1: a writer */
static int table[4], filled;

static void read_lock(void)
{
	for (;;) {
		int now = atomic_load(&state);

		if (now >= 0 && atomic_compare_exchange_weak(&state, &now, now + 1))
			return;
		sched_yield();
	}
}

static void read_unlock(void)
{
	atomic_fetch_sub(&state, 1);
}

static void write_lock(int readers)
{
	for (;;) {
		int only_me = readers;

		if (atomic_compare_exchange_weak(&state, &only_me, -1))
			return;
		sched_yield();
	}
}

static int get(int i)
{
	int v;

	read_lock();
	v = table[i];
	if (!v) {
		write_lock(1); /* BUG */
		table[i] = v = i + 1;
		filled++;
		atomic_store(&state, 0);
	} else {
		read_unlock();
	}
	return v;
}

static void *worker(void *arg)
{
	for (int i = 0; i < 4; i++) {
		if (get(i) != i + 1)
			return arg;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	void *result[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, &state);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], &result[i]);
	return result[0] || result[1] || filled != 4;
}
