/* One thread that is never joined: it does not race with itself. */
#include <pthread.h>
#include <unistd.h>

int mine, ours;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *t_fun(void *arg)
{
	mine++; // NORACE
	ours++; // RACE
	pthread_mutex_lock(&m);
	mine++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t id;

	mine = 3; // NORACE
	pthread_create(&id, NULL, t_fun, NULL);
	ours++; // RACE
	usleep(1000);
	return 0;
}
