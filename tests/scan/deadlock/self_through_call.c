/* A function takes the lock that its caller has. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static int get(void)
{
	int r;

	pthread_mutex_lock(&m); // MISUSE
	r = n;
	pthread_mutex_unlock(&m);
	return r;
}

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&m);
	n = get() + 1;
	pthread_mutex_unlock(&m); // MAYBE MISUSE
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, t_fun, NULL);
	pthread_join(t, NULL);
	return 0;
}
