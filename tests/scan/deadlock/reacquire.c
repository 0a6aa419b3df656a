/* b is held, a is given back and taken again under b: the paper's cycle within one thread. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *worker(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); // DEADLOCK
	n++;                    // NORACE
	pthread_mutex_unlock(&a);
	n++;                    // NORACE
	pthread_mutex_lock(&a); // DEADLOCK
	n++;                    // NORACE
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return n;
}
