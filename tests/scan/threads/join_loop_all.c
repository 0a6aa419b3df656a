/* Both loops go through the same elements; the other table is joined in two parts. */
#include <pthread.h>

#define N 10

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum, parts;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	sum++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *part(void *arg)
{
	pthread_mutex_lock(&m);
	parts++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static int in_parts(void)
{
	pthread_t ids[N];

	for (int i = 0; i < N; i++)
		pthread_create(&ids[i], NULL, part, NULL);
	for (int i = 0; i < N / 2; i++)
		pthread_join(ids[i], NULL);
	for (int i = N / 2; i < N; i++)
		pthread_join(ids[i], NULL);
	return parts; // NORACE
}

int main(void)
{
	pthread_t ids[N];

	for (int i = 1; i < N; i++)
		pthread_create(&ids[i], NULL, worker, NULL);
	for (int i = 1; i <= N - 1; i++)
		pthread_join(ids[i], NULL);
	return in_parts() + sum; // NORACE
}
