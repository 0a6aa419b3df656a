/* The first lock is given back before the second is taken. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&a);
	x++; // NORACE
	pthread_mutex_unlock(&a);
	pthread_mutex_lock(&b); // NODEADLOCK
	y++;                    // NORACE
	pthread_mutex_unlock(&b);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&b);
	y--;                    // NORACE
	pthread_mutex_lock(&a); // NODEADLOCK
	x--;                    // NORACE
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	pthread_join(id, NULL);
	return 0;
}
