/* A semaphore that starts with 0 orders; one that starts with 1 is a lock. */
#include <pthread.h>
#include <semaphore.h>

static sem_t ready, mutex, two;
static int payload, counter, pair;

static void *t_fun(void *arg)
{
	payload = 1; // NORACE
	sem_post(&ready);
	sem_wait(&mutex);
	counter++; // NORACE
	sem_post(&mutex);
	sem_wait(&two);
	pair++; // RACE
	sem_post(&two);
	return NULL;
}

int main(void)
{
	pthread_t id;

	sem_init(&ready, 0, 0);
	sem_init(&mutex, 0, 1);
	sem_init(&two, 0, 2);
	pthread_create(&id, NULL, t_fun, NULL);
	sem_wait(&mutex);
	counter++; // NORACE
	sem_post(&mutex);
	sem_wait(&two);
	pair++; // RACE
	sem_post(&two);
	sem_wait(&ready);
	payload++; // NORACE
	pthread_join(id, NULL);
	return 0;
}
