/* The callee gives the caller's lock back for a while. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside, outside;

static void breathe(void)
{
	pthread_mutex_unlock(&m);
	sched_yield();
	outside++; // RACE
	pthread_mutex_lock(&m);
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	inside++; // NORACE
	breathe();
	inside--; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return inside + outside; // NORACE
}
