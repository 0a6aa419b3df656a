/* Ten are created, one is joined. */
#include <pthread.h>

int shared, own_result[10];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int locked;

void *t_fun(void *arg)
{
	shared++; // RACE
	pthread_mutex_lock(&m);
	locked++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t id[10];

	for (int i = 0; i < 10; i++)
		pthread_create(&id[i], NULL, t_fun, NULL);
	pthread_join(id[0], NULL);
	shared = 0; // RACE
	pthread_mutex_lock(&m);
	locked = 0; // NORACE
	pthread_mutex_unlock(&m);
	for (int i = 1; i < 10; i++)
		pthread_join(id[i], NULL);
	shared = 1; // NORACE
	return own_result[0];
}
