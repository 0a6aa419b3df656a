/* philosophers_5.c, mended: only four may sit down at a time.
 *
 * kind: none */
#include <pthread.h>
#include <semaphore.h>

#define SEATS 5

static sem_t fork_of[SEATS];
static int meals[SEATS];
static sem_t chairs;

static void *philosopher(void *arg)
{
	int seat = (int)(long)arg;

	sem_wait(&chairs);
	sem_wait(&fork_of[seat]);
	sem_wait(&fork_of[(seat + 1) % SEATS]);
	meals[seat]++;
	sem_post(&fork_of[(seat + 1) % SEATS]);
	sem_post(&fork_of[seat]);
	sem_post(&chairs);
	return NULL;
}

int main(void)
{
	pthread_t threads[SEATS];

	sem_init(&chairs, 0, SEATS - 1);
	for (int i = 0; i < SEATS; i++)
		sem_init(&fork_of[i], 0, 1);
	for (long i = 0; i < SEATS; i++)
		pthread_create(&threads[i], NULL, philosopher, (void *)i);
	for (int i = 0; i < SEATS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
