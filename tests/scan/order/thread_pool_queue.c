/* A pool: workers take jobs from a list under a lock, and the main thread waits until all are done.
 */
#include <pthread.h>
#include <stdlib.h>

struct job {
	struct job *next;
	int n;
	long result;
};

static struct job *queue;
static int pending, stop, statistics;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg)
{
	struct job *j;

	pthread_mutex_lock(&lock);
	for (;;) {
		while (!queue && !stop) // NORACE
			pthread_cond_wait(&work, &lock);
		if (!queue) // NORACE
			break;
		j = queue;       // NORACE
		queue = j->next; // NORACE
		pthread_mutex_unlock(&lock);
		j->result = j->n * 2L; // NORACE
		statistics++;          // RACE
		free(j);
		pthread_mutex_lock(&lock);
		if (--pending == 0) // NORACE
			pthread_cond_signal(&done);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void submit(int n)
{
	struct job *j = malloc(sizeof(*j));

	j->n = n; // NORACE
	pthread_mutex_lock(&lock);
	j->next = queue; // NORACE
	queue = j;       // NORACE
	pending++;       // NORACE
	pthread_cond_signal(&work);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 9; i++)
		submit(i);
	pthread_mutex_lock(&lock);
	while (pending) // NORACE
		pthread_cond_wait(&done, &lock);
	stop = 1; // NORACE
	pthread_cond_broadcast(&work);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return statistics == 4; // NORACE
}
