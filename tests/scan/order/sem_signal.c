/* A semaphore as a signal: what was written before the post is there after the wait. */
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int result;

static void *compute(void *arg)
{
	result = 42; // NORACE
	sem_post(&done);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int r;

	sem_init(&done, 0, 0);
	pthread_create(&t, NULL, compute, NULL);
	sem_wait(&done);
	r = result; // NORACE
	pthread_join(t, NULL);
	return r != 42;
}
