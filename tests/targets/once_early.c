/* Everybody who wants the table calls get().  The pointer is set before the table is filled, and
 * the first look does not take the lock.
 *
 * kind: order-violation
 * harm: status */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct table {
	atomic_int size;
	atomic_int square[8];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct table *) shared;

static struct table *get(void)
{
	struct table *t = atomic_load_explicit(&shared, memory_order_relaxed);

	if (t)
		return t;
	pthread_mutex_lock(&lock);
	t = atomic_load_explicit(&shared, memory_order_relaxed);
	if (!t) {
		t = calloc(1, sizeof(*t));
		atomic_store_explicit(&shared, t, memory_order_relaxed); /* BUG */
		for (int i = 0; i < 8; i++)
			atomic_store_explicit(&t->square[i], i * i, memory_order_relaxed);
		atomic_store_explicit(&t->size, 8, memory_order_relaxed);
	}
	pthread_mutex_unlock(&lock);
	return t;
}

static void *user(void *arg)
{
	struct table *t = get();

	if (atomic_load_explicit(&t->size, memory_order_relaxed) != 8) {
		fprintf(stderr, "the table is not ready\n");
		exit(2);
	}
	return arg;
}

int main(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, user, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
