/* The loop variable travels by value, and picks the thread's own cell. */
#include <pthread.h>
#include <stdint.h>

static int seen[4];

static void *mark(void *arg)
{
	intptr_t i = (intptr_t)arg;

	seen[i] = 1; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t[4];

	for (intptr_t i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, mark, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return seen[0]; // NORACE
}
