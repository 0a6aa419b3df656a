/* The result of trylock decides much later. */
#include <pthread.h>

int hits, misses, both;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *t_fun(void *arg)
{
	int status = pthread_mutex_trylock(&m);
	int got = !status;

	both = 1; // RACE
	if (got)
		hits++; // NORACE
	else
		misses++; // RACE
	if (status == 0)
		pthread_mutex_unlock(&m);
	return NULL;
}

void *t_bad(void *arg)
{
	if (pthread_mutex_trylock(&m))
		return NULL;
	hits--; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_create(&c, NULL, t_bad, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return hits + misses + both; // NORACE
}
