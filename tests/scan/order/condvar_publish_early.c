/* The reader looks at the data before it has waited. */
#include <pthread.h>

static int payload;
static int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *loader(void *arg)
{
	payload = 42; // RACE
	pthread_mutex_lock(&m);
	ready = 1; // NORACE
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int guess;

	pthread_create(&t, NULL, loader, NULL);
	guess = payload; // RACE
	pthread_mutex_lock(&m);
	while (!ready) // NORACE
		pthread_cond_wait(&changed, &m);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return guess == payload; // NORACE
}
