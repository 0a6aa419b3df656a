/* Ten threads are created, the loop joins nine of them: the last one may still run. */
#include <pthread.h>

#define N 10

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	sum++; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t ids[N];
	int i;

	for (i = 0; i < N; i++)
		pthread_create(&ids[i], NULL, worker, NULL);
	for (i = 0; i < N - 1; i++)
		pthread_join(ids[i], NULL);
	return sum; // RACE
}
