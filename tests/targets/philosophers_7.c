/* Seven philosophers with mutexes; all must have taken their first fork before one of them takes
 * the second.
 *
 * kind: deadlock
 * harm: deadlock */
#include <pthread.h>
#include <sched.h>

#define SEATS 7

static pthread_mutex_t fork_of[SEATS];
static int meals[SEATS];

static void *philosopher(void *arg)
{
	int seat = (int)(long)arg;
	pthread_mutex_t *first = &fork_of[seat], *second = &fork_of[(seat + 1) % SEATS];

	pthread_mutex_lock(first);
	pthread_mutex_lock(second); /* BUG */
	meals[seat]++;
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	return NULL;
}

int main(void)
{
	pthread_t threads[SEATS];

	for (int i = 0; i < SEATS; i++)
		pthread_mutex_init(&fork_of[i], NULL);
	for (long i = 0; i < SEATS; i++)
		pthread_create(&threads[i], NULL, philosopher, (void *)i);
	for (int i = 0; i < SEATS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
