/* streamcluster.c, mended: those who wait look at a round number, which only grows.
 *
 * kind: none */
#include <pthread.h>
#include <unistd.h>

#define WORKERS 3
#define ROUNDS  2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived;
static int round_number;

static void barrier_wait(void)
{
	pthread_mutex_lock(&lock);
	arrived++;
	if (arrived == WORKERS) {
		arrived = 0;
		round_number++;
		pthread_cond_broadcast(&all_here);
	} else {
		int own = round_number;

		while (round_number == own)
			pthread_cond_wait(&all_here, &lock);
	}
	pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		usleep(5000); /* until the next frame */
		barrier_wait();
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
