/* The wait gives m back and takes it again while outer is held. */
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&outer);        // DEADLOCK
	while (!ready)                     // NORACE
		pthread_cond_wait(&c, &m); // DEADLOCK
	pthread_mutex_unlock(&outer);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, waiter, NULL);
	pthread_mutex_lock(&m);
	ready = 1; // NORACE
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
