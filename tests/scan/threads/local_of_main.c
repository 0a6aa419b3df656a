/* A local of main is handed to a thread. */
#include <pthread.h>

static void *t_fun(void *arg)
{
	int *p = arg;

	(*p)++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;
	int i = 0, j = 0;

	pthread_create(&id, NULL, t_fun, &i);
	i++; // RACE
	j++; // NORACE
	pthread_join(id, NULL);
	return i + j; // NORACE
}
