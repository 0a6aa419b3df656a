/* A critical section with nothing in it (RacerX 8.6), and one with something. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *work(void *arg)
{
	pthread_mutex_lock(&m); // MISUSE
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m); // NOMISUSE
	n++;                    // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	return n;
}
