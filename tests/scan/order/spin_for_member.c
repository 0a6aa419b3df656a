/* The same with looking again and again under the lock. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	pthread_mutex_t m;
	int ready;
};

static int after;

static void *worker(void *arg)
{
	struct job *j = arg;

	pthread_mutex_lock(&j->m);
	j->ready = 1; // NORACE
	pthread_mutex_unlock(&j->m);
	after = 1; // RACE
	return NULL;
}

int main(void)
{
	struct job *j = calloc(1, sizeof(*j));
	pthread_t t;
	int ready = 0;

	pthread_mutex_init(&j->m, NULL);
	j->ready = 0; // NORACE
	pthread_create(&t, NULL, worker, j);
	while (!ready) {
		pthread_mutex_lock(&j->m);
		ready = j->ready; // NORACE
		pthread_mutex_unlock(&j->m);
	}
	after = 2; // RACE
	return 0;
}
