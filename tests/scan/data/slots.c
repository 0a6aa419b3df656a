/* Every thread has a slot of its own, but also reaches into its neighbour's. */
#include <pthread.h>

#define THREADS 4

static int slots[THREADS + 1];

static void *fill(void *arg)
{
	int *mine = arg;

	mine[0] = 1; // RACE
	mine[1] = 2; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];
	int sum = 0;

	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, fill, &slots[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < THREADS; i++)
		sum += slots[i]; // NORACE
	return sum;
}
