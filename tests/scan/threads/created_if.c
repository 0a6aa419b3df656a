/* A thread that is created on a condition, and joined on the same. */
#include <pthread.h>
#include <stdlib.h>

int a, b;

void *t_fun(void *arg)
{
	a = 1; // NORACE
	b = 1; // RACE
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t id;
	int threaded = argc > 0;

	if (threaded)
		pthread_create(&id, NULL, t_fun, NULL);
	else
		a = 2; // NORACE
	b = 2;         // RACE
	if (threaded)
		pthread_join(id, NULL);
	a = 3; // NORACE
	b = 3; // NORACE
	return 0;
}
