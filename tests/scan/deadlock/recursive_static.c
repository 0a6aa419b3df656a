/* The same with a static initialiser. */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int n;

static void add(int k)
{
	pthread_mutex_lock(&m); // NOMISUSE
	n += k;                 // NORACE
	pthread_mutex_unlock(&m);
}

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&m);
	add(1);
	n++;                      // NORACE
	pthread_mutex_unlock(&m); // NOMISUSE
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, t_fun, NULL);
	add(4);
	pthread_join(t, NULL);
	return n; // NORACE
}
