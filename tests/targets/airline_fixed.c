/* airline.c, mended: the lock is held from the look to the sale.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

#define SEATS  3
#define AGENTS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sold;

static void *agent(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	if (sold < SEATS)
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
