/* One global, one mutex, two functions of one thread. */
#include <pthread.h>

int glob;
int other;
pthread_mutex_t mtx = PTHREAD_MUTEX_INITIALIZER;

void inc(void)
{
	pthread_mutex_lock(&mtx);
	glob++; // NORACE
	pthread_mutex_unlock(&mtx);
	other++; // RACE
}

void dec(void)
{
	pthread_mutex_lock(&mtx);
	glob--; // NORACE
	pthread_mutex_unlock(&mtx);
	other--; // RACE
}

void *t_fun(void *arg)
{
	inc();
	dec();
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	inc();
	dec();
	pthread_join(id, NULL);
	return 0;
}
