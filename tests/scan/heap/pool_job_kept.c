/* Who submits a job looks at it again while a worker has it. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	struct job *next;
	int input, output, tries;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct job *todo;
static int finished;

static void *worker(void *arg)
{
	for (;;) {
		struct job *j;

		pthread_mutex_lock(&lock);
		while (!todo) // NORACE
			pthread_cond_wait(&more, &lock);
		j = todo;       // NORACE
		todo = j->next; // NORACE
		pthread_mutex_unlock(&lock);
		if (j->input < 0) // NORACE
			return NULL;
		j->output = j->input + 1; // RACE
		j->tries++;               // RACE
		pthread_mutex_lock(&lock);
		finished++; // NORACE
		pthread_mutex_unlock(&lock);
	}
}

static struct job *submit(int n)
{
	struct job *j = malloc(sizeof(*j));

	j->input = n;  // NORACE
	j->output = 0; // NORACE
	j->tries = 0;  // NORACE
	pthread_mutex_lock(&lock);
	j->next = todo; // NORACE
	todo = j;       // NORACE
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&lock);
	return j;
}

int main(void)
{
	pthread_t t;
	struct job *j;

	pthread_create(&t, NULL, worker, NULL);
	j = submit(3);
	j->tries++;            // RACE
	while (j->output == 0) // RACE
		;
	submit(-1);
	pthread_join(t, NULL);
	return finished; // NORACE
}
