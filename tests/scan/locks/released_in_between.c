/* The mutex is given back before the access, in a helper. */
#include <pthread.h>

static int glob, other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void flush(void)
{
	other = 0; // NORACE
	pthread_mutex_unlock(&m);
}

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&m);
	flush();
	glob++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&m);
	other = 1; // NORACE
	glob++;    // RACE
	pthread_mutex_unlock(&m);
	pthread_join(id, NULL);
	return 0;
}
