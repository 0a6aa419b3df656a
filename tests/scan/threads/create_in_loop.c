/* A loop makes several instances of one thread: it races with itself. */
#include <pthread.h>

#define N 4

static int arrivals;

static void *arrive(void *arg)
{
	arrivals++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t ids[N];

	for (int i = 0; i < N; i++)
		pthread_create(&ids[i], NULL, arrive, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(ids[i], NULL);
	return arrivals; // NORACE
}
