/* Five philosophers with semaphores for forks, where no lock owner is known.  All take the left
 * one and nobody gets the right one.
 *
 * kind: deadlock
 * harm: deadlock, hang */
#include <pthread.h>
#include <semaphore.h>

#define SEATS 5

static sem_t fork_of[SEATS];
static int meals[SEATS];

static void *philosopher(void *arg)
{
	int seat = (int)(long)arg;

	sem_wait(&fork_of[seat]);
	sem_wait(&fork_of[(seat + 1) % SEATS]); /* BUG */
	meals[seat]++;
	sem_post(&fork_of[(seat + 1) % SEATS]);
	sem_post(&fork_of[seat]);
	return NULL;
}

int main(void)
{
	pthread_t threads[SEATS];

	for (int i = 0; i < SEATS; i++)
		sem_init(&fork_of[i], 0, 1);
	for (long i = 0; i < SEATS; i++)
		pthread_create(&threads[i], NULL, philosopher, (void *)i);
	for (int i = 0; i < SEATS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
