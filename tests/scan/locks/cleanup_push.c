/* A thread that may be cancelled gives the lock back in a cleanup handler. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int items, used, idle;

static void give_back(void *arg)
{
	pthread_mutex_unlock(arg);
}

static void *consumer(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&m);
		pthread_cleanup_push(give_back, &m);
		while (!items) // NORACE
			pthread_cond_wait(&more, &m);
		items--; // NORACE
		used++;  // NORACE
		pthread_cleanup_pop(1);
		idle++; // RACE
	}
	return NULL;
}

int main(void)
{
	pthread_t t;
	int n;

	pthread_create(&t, NULL, consumer, NULL);
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&m);
		items++; // NORACE
		pthread_cond_signal(&more);
		pthread_mutex_unlock(&m);
	}
	n = idle; // RACE
	pthread_cancel(t);
	pthread_join(t, NULL);
	return used + n + idle; // NORACE
}
