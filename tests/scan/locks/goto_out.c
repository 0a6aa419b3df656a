/* The usual single exit: every path to "out" holds the lock. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int pending, errors;

static int take(int n)
{
	int r = -1;

	pthread_mutex_lock(&m);
	if (n < 0)
		goto out;
	if (pending + n > 100) // NORACE
		goto out;
	pending += n; // NORACE
	r = 0;
out:
	if (r < 0)
		errors++;         // NORACE
	pthread_mutex_unlock(&m); // NOMISUSE
	return r;
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
