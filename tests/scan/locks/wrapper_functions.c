/* lock() and unlock() of the program's own, and a variable that is used outside of them once. */
#include <pthread.h>

static int inside, outside;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
	pthread_mutex_lock(&m);
}

static void unlock(void)
{
	pthread_mutex_unlock(&m);
}

static void *t_fun(void *arg)
{
	lock();
	inside++; // NORACE
	unlock();
	outside++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	lock();
	inside++;  // NORACE
	outside++; // RACE
	unlock();
	pthread_join(id, NULL);
	return 0;
}
