/* A detached thread runs on when main goes on. */
#include <pthread.h>
#include <unistd.h>

static int a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	a++; // RACE
	pthread_mutex_lock(&m);
	b++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t id;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	a = 0; // NORACE
	pthread_create(&id, &attr, t_fun, NULL);
	pthread_attr_destroy(&attr);
	a = 1; // RACE
	pthread_mutex_lock(&m);
	b = 1; // NORACE
	pthread_mutex_unlock(&m);
	usleep(1000);
	return 0;
}
