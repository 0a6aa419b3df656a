/* A semaphore that starts with one is a mutex; one that starts with zero is a signal. */
#include <pthread.h>
#include <semaphore.h>

static sem_t mutex, done;
static int n, result, loose;

static void *t_fun(void *arg)
{
	sem_wait(&mutex);
	n++; // NORACE
	sem_post(&mutex);
	result = 7; // NORACE
	sem_post(&done);
	loose++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	sem_init(&mutex, 0, 1);
	sem_init(&done, 0, 0);
	pthread_create(&id, NULL, t_fun, NULL);
	sem_wait(&mutex);
	n--; // NORACE
	sem_post(&mutex);
	loose--; // RACE
	sem_wait(&done);
	result++; // NORACE
	pthread_join(id, NULL);
	return 0;
}
