/* The argument is a number that chooses the slot. */
#include <pthread.h>
#include <stdint.h>

#define N 4

int slots[N], neighbours[N], sum;

void *t_fun(void *arg)
{
	intptr_t i = (intptr_t)arg;

	slots[i] = 1;                 // NORACE
	neighbours[(i + 1) % N] += 1; // MISS NORACE
	sum += slots[i];              // RACE
	return NULL;
}

int main(void)
{
	pthread_t id[N];

	for (intptr_t i = 0; i < N; i++)
		pthread_create(&id[i], NULL, t_fun, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(id[i], NULL);
	for (int i = 0; i < N; i++)
		sum += slots[i] + neighbours[i]; // NORACE
	return sum == 3;
}
