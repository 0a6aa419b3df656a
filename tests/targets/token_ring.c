/* Four stations pass a number on, each one more than its neighbour.  Each is given a moment
 * before the next one is created, but nothing makes them run in their order.
 *
 * kind: order-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#define STATIONS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value[STATIONS + 1];

static void *station(void *arg)
{
	int own = (int)(long)arg;

	pthread_mutex_lock(&lock);
	value[own + 1] = value[own] + 1; /* BUG */
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t stations[STATIONS];

	for (long i = 0; i < STATIONS; i++) {
		pthread_create(&stations[i], NULL, station, (void *)i);
		usleep(20000);
	}
	for (int i = 0; i < STATIONS; i++)
		pthread_join(stations[i], NULL);
	assert(value[STATIONS] == STATIONS);
	return 0;
}
