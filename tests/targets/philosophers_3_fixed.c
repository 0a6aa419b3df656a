/* philosophers_3.c, mended: the last philosopher takes the right fork first.
 *
 * kind: none */
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t fork_of[SEATS];
static int meals[SEATS];

static void *philosopher(void *arg)
{
	int seat = (int)(long)arg;
	pthread_mutex_t *first = &fork_of[seat], *second = &fork_of[(seat + 1) % SEATS];

	if (seat == SEATS - 1) {
		first = &fork_of[0];
		second = &fork_of[seat];
	}
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(first);
		pthread_mutex_lock(second);
		meals[seat]++;
		pthread_mutex_unlock(second);
		pthread_mutex_unlock(first);
	}
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
