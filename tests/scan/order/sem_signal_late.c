/* The write comes after the post. */
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int result;

static void *compute(void *arg)
{
	sem_post(&done);
	result = 42; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t;
	int r;

	sem_init(&done, 0, 0);
	pthread_create(&t, NULL, compute, NULL);
	sem_wait(&done);
	r = result; // RACE
	pthread_join(t, NULL);
	return r != 42;
}
