/* A spinning barrier counts down with an atomic, and the last one sets it up again for the next
 * round.  Who has not yet seen the zero spins on.
 *
 * kind: order-violation
 * harm: hang, deadlock */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#define WORKERS 2
#define ROUNDS  2

static atomic_int missing = WORKERS;

static void wait_for_all(void)
{
	if (atomic_fetch_sub(&missing, 1) == 1) {
		atomic_store(&missing, WORKERS); /* BUG */
		return;
	}
	while (atomic_load(&missing) != WORKERS) /* BUG */
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
