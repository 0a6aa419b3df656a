/* Four agents sell the seats of a small plane.  Each looks whether a seat is left and sells one,
 * with the lock held for each step but not for both: the last seat can be sold twice.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

#define SEATS  3
#define AGENTS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sold;

static int seats_left(void)
{
	int left;

	pthread_mutex_lock(&lock); /* BUG */
	left = SEATS - sold;
	pthread_mutex_unlock(&lock);
	return left;
}

static void *agent(void *arg)
{
	(void)arg;
	if (seats_left() == 0)
		return NULL;
	pthread_mutex_lock(&lock); /* BUG */
	sold++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t agents[AGENTS];

	for (int i = 0; i < AGENTS; i++)
		pthread_create(&agents[i], NULL, agent, NULL);
	for (int i = 0; i < AGENTS; i++)
		pthread_join(agents[i], NULL);
	assert(sold <= SEATS);
	return 0;
}
