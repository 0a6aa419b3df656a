/* Which element of the array of locks is taken is not known: it may be another one. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t locks[10];
static int n;

static void *t_fun(void *arg)
{
	int i = rand() % 10;

	pthread_mutex_lock(&locks[i]);
	n++; // RACE
	pthread_mutex_unlock(&locks[i]);
	return NULL;
}

int main(void)
{
	pthread_t id;
	int j = rand() % 10;

	for (int i = 0; i < 10; i++)
		pthread_mutex_init(&locks[i], NULL);
	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&locks[j]);
	n++; // RACE
	pthread_mutex_unlock(&locks[j]);
	pthread_join(id, NULL);
	return 0;
}
