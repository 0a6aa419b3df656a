/* barrier_spin.c, mended: those who wait look at a sense flag that changes with each round.
 *
 * kind: none */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#define WORKERS 2
#define ROUNDS  2

static atomic_int missing = WORKERS;
static atomic_int sense;

static void wait_for_all(void)
{
	int own = atomic_load(&sense);

	if (atomic_fetch_sub(&missing, 1) == 1) {
		atomic_store(&missing, WORKERS);
		atomic_store(&sense, !own);
		return;
	}
	while (atomic_load(&sense) == own)
		sched_yield();
}

static void *worker(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		usleep(5000); /* until the next frame */
		wait_for_all();
	}
	return arg;
}

int main(void)
{
	pthread_t workers[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, worker, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	return 0;
}
