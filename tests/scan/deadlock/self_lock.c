/* A helper takes the lock that its caller holds. */
#include <pthread.h>
// norun
// allow: lock-misuse

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static int size(void)
{
	int r;

	pthread_mutex_lock(&m); // MISUSE
	r = n;                  // NORACE
	pthread_mutex_unlock(&m);
	return r;
}

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&m);
	n = size() + 1; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	size();
	pthread_join(id, NULL);
	return 0;
}
