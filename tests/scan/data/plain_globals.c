/* The smallest race, and reads that do not race with each other. */
#include <pthread.h>

static int x, constant = 4;

static void *t_fun(void *arg)
{
	x = constant; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	x = constant + 1; // RACE
	pthread_join(id, NULL);
	return 0;
}
