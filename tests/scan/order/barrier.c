/* Two phases with a barrier between them. */
#include <pthread.h>

#define N 3

static pthread_barrier_t barrier;
static int parts[N];
static int sums[N];

static void *worker(void *arg)
{
	int id = *(int *)arg;

	parts[id] = id + 1; // NORACE
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < N; i++)
		sums[id] += parts[i]; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t[N];
	int ids[N];

	pthread_barrier_init(&barrier, NULL, N);
	for (int i = 0; i < N; i++) {
		ids[i] = i;
		pthread_create(&t[i], NULL, worker, &ids[i]);
	}
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return sums[0] != 6; // NORACE
}
