/* A parallel sort hands its upper half to a helper that sleeps until it gets work.  The sorter
 * counts the helper as idle without the lock, and puts the work there before the helper has
 * emptied its last: a part is never sorted.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define ITEMS 12
#define PARTS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;
static int *work, finished;
static atomic_int idle = 1;
static int items[PARTS][ITEMS];

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void *helper(void *arg)
{
	int *mine;

	for (;;) {
		pthread_mutex_lock(&lock);
		while (!work && !finished)
			pthread_cond_wait(&given, &lock);
		mine = work;
		atomic_store(&idle, 1); /* BUG */
		pthread_mutex_unlock(&lock);
		if (!mine)
			return arg;
		qsort(mine, ITEMS, sizeof(*mine), by_value);
		work = NULL; /* BUG */
	}
}

/* Gives the part away when the helper has nothing to do. */
static void sort(int *part)
{
	if (atomic_exchange(&idle, 0)) {
		pthread_mutex_lock(&lock);
		work = part;
		pthread_cond_signal(&given);
		pthread_mutex_unlock(&lock);
	} else {
		qsort(part, ITEMS, sizeof(*part), by_value);
	}
}

int main(void)
{
	pthread_t t;

	for (int p = 0; p < PARTS; p++)
		for (int i = 0; i < ITEMS; i++)
			items[p][i] = (7 * i + p) % ITEMS;
	pthread_create(&t, NULL, helper, NULL);
	for (int p = 0; p < PARTS; p++)
		sort(items[p]);
	pthread_mutex_lock(&lock);
	finished = 1;
	pthread_cond_signal(&given);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	for (int p = 0; p < PARTS; p++)
		for (int i = 1; i < ITEMS; i++)
			assert(items[p][i - 1] <= items[p][i]);
	return 0;
}
