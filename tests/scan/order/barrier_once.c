/* A barrier between two phases; a third phase has none. */
#include <pthread.h>

pthread_barrier_t bar;
int first[2], second, third;

void *t_fun(void *arg)
{
	first[0] = 1; // NORACE
	pthread_barrier_wait(&bar);
	second = first[0] + first[1]; // NORACE
	third = 1;                    // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_barrier_init(&bar, NULL, 2);
	pthread_create(&id, NULL, t_fun, NULL);
	first[1] = 1; // NORACE
	second = 0;   // NORACE
	pthread_barrier_wait(&bar);
	third = first[0]; // RACE
	pthread_join(id, NULL);
	return second + third; // NORACE
}
