/* Two locks are held; each variable needs one of them. */
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&outer);
	x++; // NORACE
	pthread_mutex_lock(&inner);
	y++; // NORACE
	pthread_mutex_unlock(&outer);
	y++; // NORACE
	z++; // RACE
	pthread_mutex_unlock(&inner);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&outer);
	x--; // NORACE
	z--; // RACE
	pthread_mutex_unlock(&outer);
	pthread_mutex_lock(&inner);
	y--; // NORACE
	pthread_mutex_unlock(&inner);
	pthread_join(id, NULL);
	return 0;
}
