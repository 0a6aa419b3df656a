/* A job is handed over through one slot and two conditions. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	int input, output;
};

static struct job *slot;
static int finished;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_job = PTHREAD_COND_INITIALIZER;
static pthread_cond_t has_room = PTHREAD_COND_INITIALIZER;

static void submit(struct job *j)
{
	pthread_mutex_lock(&m);
	while (slot) // NORACE
		pthread_cond_wait(&has_room, &m);
	slot = j; // NORACE
	pthread_cond_signal(&has_job);
	pthread_mutex_unlock(&m);
}

static struct job *take(void)
{
	struct job *j;

	pthread_mutex_lock(&m);
	while (!slot) // NORACE
		pthread_cond_wait(&has_job, &m);
	j = slot;    // NORACE
	slot = NULL; // NORACE
	pthread_cond_signal(&has_room);
	pthread_mutex_unlock(&m);
	return j;
}

static void *worker(void *arg)
{
	for (int i = 0; i < 4; i++) {
		struct job *j = take();

		j->output = j->input * 2; // NORACE
		free(j);                  // NORACE
		finished++;               // RACE
	}
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, worker, NULL);
	for (int i = 0; i < 4; i++) {
		struct job *j = malloc(sizeof(*j));

		j->input = i; // NORACE
		submit(j);
	}
	if (finished) // RACE
		return 1;
	pthread_join(id, NULL);
	return finished == 7; // NORACE
}
