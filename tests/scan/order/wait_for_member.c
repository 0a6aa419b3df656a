/* The creator waits for a member that the thread sets: what comes behind the wait is reached. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	pthread_mutex_t m;
	pthread_cond_t c;
	int ready;
};

static int after, result;

static void *worker(void *arg)
{
	struct job *j = arg;

	result = 1; // NORACE
	pthread_mutex_lock(&j->m);
	j->ready = 1; // NORACE
	pthread_cond_signal(&j->c);
	pthread_mutex_unlock(&j->m);
	after = 1; // RACE
	return NULL;
}

int main(void)
{
	struct job *j = calloc(1, sizeof(*j));
	pthread_t t;

	pthread_mutex_init(&j->m, NULL);
	pthread_cond_init(&j->c, NULL);
	j->ready = 0; // NORACE
	pthread_create(&t, NULL, worker, j);
	pthread_mutex_lock(&j->m);
	while (!j->ready) // NORACE
		pthread_cond_wait(&j->c, &j->m);
	pthread_mutex_unlock(&j->m);
	after = 2;     // RACE
	return result; // NORACE
}
