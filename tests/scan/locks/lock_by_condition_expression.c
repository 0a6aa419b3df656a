/* p ? &a : &b chooses the lock, the same way in both threads. */
#include <pthread.h>

static pthread_mutex_t even = PTHREAD_MUTEX_INITIALIZER, odd = PTHREAD_MUTEX_INITIALIZER;
static int sums[2];

static void add(int n)
{
	pthread_mutex_t *m = n & 1 ? &odd : &even;
	int *sum = n & 1 ? &sums[1] : &sums[0];

	pthread_mutex_lock(m);
	*sum += n; // MISS NORACE
	pthread_mutex_unlock(m);
}

static void *t_fun(void *arg)
{
	for (int i = 0; i < 50; i++)
		add(i);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	for (int i = 0; i < 50; i++)
		add(i);
	pthread_join(id, NULL);
	return 0;
}
