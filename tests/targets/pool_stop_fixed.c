/* A pool of workers is told to stop: the flag is set under the lock.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define WORKERS 3

struct job {
	struct job *next;
	int n;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct job *jobs;
static atomic_bool stopping;
static atomic_long total;

static struct job *next_job(void)
{
	struct job *job;

	pthread_mutex_lock(&lock);
	while (!jobs && !atomic_load(&stopping))
		pthread_cond_wait(&more, &lock);
	job = jobs;
	if (job)
		jobs = job->next;
	pthread_mutex_unlock(&lock);
	return job;
}

static void *worker(void *arg)
{
	struct job *job;

	while ((job = next_job())) {
		atomic_fetch_add(&total, job->n);
		free(job);
	}
	return arg;
}

static void submit(int n)
{
	struct job *job = malloc(sizeof(*job));

	job->n = n;
	pthread_mutex_lock(&lock);
	job->next = jobs;
	jobs = job;
	pthread_mutex_unlock(&lock);
	pthread_cond_signal(&more);
}

int main(void)
{
	pthread_t workers[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, worker, NULL);
	for (int i = 1; i <= 5; i++)
		submit(i);
	pthread_mutex_lock(&lock);
	atomic_store(&stopping, true);
	pthread_mutex_unlock(&lock);
	pthread_cond_broadcast(&more);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	return total == 15 ? 0 : 1;
}
