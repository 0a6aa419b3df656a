/* A flag under the mutex tells that the data is there. */
#include <pthread.h>

static int ready, data, noise;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *t_fun(void *arg)
{
	data = 5; // NORACE
	pthread_mutex_lock(&m);
	ready = 1; // NORACE
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	noise = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&m);
	while (ready == 0) // NORACE
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	data++;  // NORACE
	noise++; // RACE
	pthread_join(id, NULL);
	return data; // NORACE
}
