/* One path leaves before the lock is taken and touches the variable all the same. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int pending, errors;

static int take(int n)
{
	if (n < 0) {
		errors++; // RACE
		return -1;
	}
	pthread_mutex_lock(&m);
	if (pending + n > 100) { // NORACE
		errors++;        // RACE
		pthread_mutex_unlock(&m);
		return -1;
	}
	pending += n; // NORACE
	pthread_mutex_unlock(&m);
	return 0;
}

static void *worker(void *arg)
{
	for (int i = -5; i < 5; i++)
		take(i);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return pending + errors; // NORACE
}
