/* All threads are joined by a helper, then main is alone. */
#include <pthread.h>

#define N 3

static pthread_t ids[N];
static int sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	sum++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static void wait_for(pthread_t *t, int n)
{
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		pthread_create(&ids[i], NULL, worker, NULL);
	wait_for(ids, N);
	sum++; // NORACE
	return sum;
}
