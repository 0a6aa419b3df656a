/* A lock that is given up around a slow call. */
#include <pthread.h>
#include <unistd.h>

int state;
int progress;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void slow(void)
{
	progress++; // RACE
	pthread_mutex_unlock(&m);
	usleep(1);
	progress++; // RACE
	pthread_mutex_lock(&m);
	progress++; // RACE
}

void *t_fun(void *arg)
{
	pthread_mutex_lock(&m);
	state = 1; // NORACE
	slow();
	state = 2; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return state + progress; // NORACE
}
