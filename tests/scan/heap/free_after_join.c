/* The same with the join first. */
#include <pthread.h>
#include <stdlib.h>

static int *data;

static void *t_fun(void *arg)
{
	int *p = arg;

	return (void *)(long)*p; // NORACE
}

int main(void)
{
	pthread_t id;

	data = malloc(sizeof(*data));
	*data = 5; // NORACE
	pthread_create(&id, NULL, t_fun, data);
	pthread_join(id, NULL);
	free(data); // NORACE
	return 0;
}
