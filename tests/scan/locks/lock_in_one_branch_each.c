/* Each branch takes the lock itself. */
#include <pthread.h>
#include <stdlib.h>

static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void work(int fast)
{
	if (fast) {
		pthread_mutex_lock(&m);
		n++; // NORACE
	} else {
		pthread_mutex_lock(&m);
		n--; // NORACE
	}
	n = n * 2; // NORACE
	pthread_mutex_unlock(&m);
}

static void *t_fun(void *arg)
{
	work(rand() & 1);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	work(rand() & 1);
	pthread_join(id, NULL);
	return 0;
}
