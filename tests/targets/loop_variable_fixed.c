/* loop_variable.c, mended: each thread has a variable of its own.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define THREADS 3

static atomic_int begun;
static int seen[THREADS + 1];

static void *worker(void *arg)
{
	seen[*(int *)arg] = 1;
	atomic_fetch_add(&begun, 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];

	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, worker, &numbers[i]);
		while (atomic_load(&begun) <= i)
			usleep(500);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		assert(seen[i]);
	return 0;
}
