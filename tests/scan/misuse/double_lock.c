/* The function locks what its caller holds already. */
// norun
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int size;

static int get_size(void)
{
	int n;

	pthread_mutex_lock(&m); // MISUSE
	n = size;               // NORACE
	pthread_mutex_unlock(&m);
	return n;
}

static void *shrink(void *arg)
{
	pthread_mutex_lock(&m);
	if (arg && get_size() > 0)
		size--;           // NORACE
	pthread_mutex_unlock(&m); // NOMISUSE
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, shrink, &size);
	if (get_size() > 3)
		return 1;
	pthread_join(t, NULL);
	return 0;
}
