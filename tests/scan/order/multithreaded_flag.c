/* Locks are taken only when threads exist: the flag is set before the first create. */
#include <pthread.h>

int is_threaded;
int value, other;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
	if (is_threaded) // NORACE
		pthread_mutex_lock(&m);
}

static void unlock(void)
{
	if (is_threaded) // NORACE
		pthread_mutex_unlock(&m);
}

static void set(int v)
{
	lock();
	value = v; // NORACE
	unlock();
}

void *t_fun(void *arg)
{
	set(1);
	other = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	set(0);
	is_threaded = 1; // NORACE
	pthread_create(&id, NULL, t_fun, NULL);
	set(2);
	other = 2; // RACE
	pthread_join(id, NULL);
	is_threaded = 0; // NORACE
	set(3);
	return 0;
}
