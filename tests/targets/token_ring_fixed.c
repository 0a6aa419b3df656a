/* token_ring.c, mended: a station waits for the token.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#define STATIONS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value[STATIONS + 1];
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER;
static int token;

static void *station(void *arg)
{
	int own = (int)(long)arg;

	pthread_mutex_lock(&lock);
	while (token != own)
		pthread_cond_wait(&passed, &lock);
	value[own + 1] = value[own] + 1;
	token++;
	pthread_cond_broadcast(&passed);
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
