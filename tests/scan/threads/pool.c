/* A pool whose workers take jobs from a queue; a finished job belongs to nobody else. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	struct job *next;
	int input, output;
};

static struct job *queue;
static int closing, processed, last_input;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg)
{
	for (;;) {
		struct job *j;

		pthread_mutex_lock(&lock);
		while (!queue && !closing) // NORACE
			pthread_cond_wait(&more, &lock);
		j = queue; // NORACE
		if (!j) {
			pthread_mutex_unlock(&lock);
			return NULL;
		}
		queue = j->next; // NORACE
		processed++;     // NORACE
		pthread_mutex_unlock(&lock);
		last_input = j->input; // RACE
		free(j);               // NORACE
	}
}

static void submit(int input)
{
	struct job *j = calloc(1, sizeof(*j));

	j->input = input; // NORACE
	pthread_mutex_lock(&lock);
	j->next = queue; // NORACE
	queue = j;       // NORACE
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 10; i++)
		submit(i);
	pthread_mutex_lock(&lock);
	closing = 1; // NORACE
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return processed != 10; // NORACE
}
