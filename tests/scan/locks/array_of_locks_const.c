/* locks[0] for one variable, locks[1] for another; one thread takes the wrong element. */
#include <pthread.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int good, bad;

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&locks[0]);
	good++; // NORACE
	pthread_mutex_unlock(&locks[0]);
	pthread_mutex_lock(&locks[1]);
	bad++; // RACE
	pthread_mutex_unlock(&locks[1]);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&locks[0]);
	good++; // NORACE
	bad++;  // RACE
	pthread_mutex_unlock(&locks[0]);
	pthread_join(id, NULL);
	return 0;
}
