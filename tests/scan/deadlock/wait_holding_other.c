/* Waits for a condition while holding another lock, which the signaller needs. */
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg)
{
	pthread_mutex_lock(&outer);
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m); // MISS DEADLOCK
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&outer);
	return NULL;
}

static void *signaller(void *arg)
{
	pthread_mutex_lock(&outer); // MISS DEADLOCK
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&outer);
	return NULL;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, waiter, NULL);
	pthread_create(&t2, NULL, signaller, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
