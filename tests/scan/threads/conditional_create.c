/* The thread may not exist, but if it does, it races. */
#include <pthread.h>
#include <stdlib.h>

static int n;

static void *t_fun(void *arg)
{
	n++; // RACE
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t id;
	int made = 0;

	if (argc > 1) {
		pthread_create(&id, NULL, t_fun, NULL);
		made = 1;
	}
	n++; // RACE
	if (made)
		pthread_join(id, NULL);
	return n; // NORACE
}
