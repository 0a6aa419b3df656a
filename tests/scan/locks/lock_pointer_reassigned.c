/* The pointer to the mutex is set to another one before the second thread uses it. */
#include <pthread.h>

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *lock = &m1;
static int glob;

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&m1);
	glob++; // RACE
	pthread_mutex_unlock(&m1);
	return NULL;
}

int main(void)
{
	pthread_t id;

	lock = &m2;
	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(lock);
	glob++; // RACE
	pthread_mutex_unlock(lock);
	pthread_join(id, NULL);
	return 0;
}
