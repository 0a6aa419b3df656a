/* One path unlocks twice. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items;

static int take(int strict)
{
	pthread_mutex_lock(&m);
	if (items == 0) { // NORACE
		pthread_mutex_unlock(&m);
		if (strict)
			goto out;
		return 0;
	}
	items--; // NORACE
out:
	pthread_mutex_unlock(&m); // MISUSE
	return 1;
}

static void *worker(void *arg)
{
	take(0);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	items = 2;
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return take(argc > 5);
}
