/* A recursive mutex, taken by a function that its holder calls. */
#include <pthread.h>

static pthread_mutex_t m;
static int n;

static void add(int k)
{
	pthread_mutex_lock(&m); // NOMISUSE
	n += k;                 // NORACE
	pthread_mutex_unlock(&m);
}

static void add_twice(int k)
{
	pthread_mutex_lock(&m);
	add(k);
	add(k);
	n++;                      // NORACE
	pthread_mutex_unlock(&m); // NOMISUSE
}

static void *t_fun(void *arg)
{
	add_twice(3);
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &attr);
	pthread_create(&t, NULL, t_fun, NULL);
	add_twice(4);
	pthread_join(t, NULL);
	return n; // NORACE
}
