/* Each thread gets the address of the loop's variable, which moves on before the thread has read
 * it.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define THREADS 3

static atomic_int begun;
static int seen[THREADS + 1];

static void *worker(void *arg)
{
	atomic_fetch_add(&begun, 1);
	seen[*(int *)arg] = 1; /* BUG */
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++) { /* BUG */
		pthread_create(&threads[i], NULL, worker, &i);
		while (atomic_load(&begun) <= i)
			usleep(500);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		assert(seen[i]);
	return 0;
}
