/* A thread that exists once does not race with itself. */
#include <pthread.h>

static int own, shared;

static void *t_fun(void *arg)
{
	own++;    // NORACE
	shared++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	shared++; // RACE
	pthread_join(id, NULL);
	return own + shared; // NORACE
}
