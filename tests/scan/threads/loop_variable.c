/* Every thread gets the address of the loop variable. */
#include <pthread.h>

static int seen[4];

static void *mark(void *arg)
{
	int i = *(int *)arg; // RACE

	if (i >= 0 && i < 4)
		seen[i] = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t[4];
	int i;

	for (i = 0; i < 4; i++) // RACE
		pthread_create(&t[i], NULL, mark, &i);
	for (int k = 0; k < 4; k++)
		pthread_join(t[k], NULL);
	return seen[0]; // NORACE
}
