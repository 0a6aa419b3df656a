/* The address of the loop variable is handed to every thread. */
#include <pthread.h>

static int seen[4];

static void *worker(void *arg)
{
	int id = *(int *)arg; // RACE

	seen[id & 3]++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++) // RACE
		pthread_create(&t[i], NULL, worker, &i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
