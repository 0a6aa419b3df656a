/* The address of a local is put into a global before and after the create. */
#include <pthread.h>
#include <unistd.h>

int *gp;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *t_fun(void *arg)
{
	pthread_mutex_lock(&m);
	if (gp)          // NORACE
		*gp = 5; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t id;
	int x = 0, y = 0;

	pthread_create(&id, NULL, t_fun, NULL);
	x = 1; // NORACE
	y = 1; // NORACE
	pthread_mutex_lock(&m);
	gp = &x; // NORACE
	pthread_mutex_unlock(&m);
	x = 2; // RACE
	y = 2; // NORACE
	pthread_mutex_lock(&m);
	x = 3;     // NORACE
	gp = NULL; // NORACE
	pthread_mutex_unlock(&m);
	pthread_join(id, NULL);
	return x + y; // NORACE
}
