/* Data is written before the flag is set under the lock, and read after the flag was seen there. */
#include <pthread.h>

static int payload[4];
static int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *loader(void *arg)
{
	for (int i = 0; i < 4; i++)
		payload[i] = i + 1; // NORACE
	pthread_mutex_lock(&m);
	ready = 1; // NORACE
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int sum = 0;

	pthread_create(&t, NULL, loader, NULL);
	pthread_mutex_lock(&m);
	while (!ready) // NORACE
		pthread_cond_wait(&changed, &m);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 4; i++)
		sum += payload[i]; // NORACE
	pthread_join(t, NULL);
	return sum != 10;
}
