/* The creator holds a gate until everything is set up; the thread passes it before it begins.  What
 * it starts behind the gate comes later still. */
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int setup[4], extra, late;

static void *second(void *arg)
{
	extra++; // NORACE
	return NULL;
}

static void *worker(void *arg)
{
	pthread_t t;

	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	setup[0]++;       // NORACE
	late += setup[1]; // RACE
	pthread_create(&t, NULL, second, NULL);
	pthread_join(t, NULL);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_mutex_lock(&gate);
	pthread_create(&t, NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		setup[i] = i; // NORACE
	extra = 7;            // NORACE
	pthread_mutex_unlock(&gate);
	late = 1; // RACE
	pthread_join(t, NULL);
	return 0;
}
