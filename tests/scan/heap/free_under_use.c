/* One thread frees what the other still reads. */
#include <pthread.h>
#include <stdlib.h>

static int *data;

static void *t_fun(void *arg)
{
	int *p = arg;

	return (void *)(long)*p; // RACE
}

int main(void)
{
	pthread_t id;

	data = malloc(sizeof(*data));
	*data = 5; // NORACE
	pthread_create(&id, NULL, t_fun, data);
	free(data); // RACE
	pthread_join(id, NULL);
	return 0;
}
