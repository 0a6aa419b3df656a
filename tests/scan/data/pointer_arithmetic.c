/* Pointers walk over halves of an array. */
#include <pthread.h>

int array[100], whole[100];

void *t_fun(void *arg)
{
	int *p;

	for (p = array; p < array + 50; p++)
		*p = 1; // MISS NORACE
	for (p = whole; p < whole + 60; p++)
		*p = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	for (int i = 50; i < 100; i++)
		array[i] = 2; // MISS NORACE
	for (int i = 40; i < 100; i++)
		whole[i] = 2; // RACE
	pthread_join(id, NULL);
	return 0;
}
