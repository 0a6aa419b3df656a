/* The helper thread exists only sometimes, which is enough. */
#include <pthread.h>

static int cache;

static void *warm(void *arg)
{
	cache = 1; // RACE
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;
	int helper = argc > 0;

	if (helper)
		pthread_create(&t, NULL, warm, NULL);
	cache = 2; // RACE
	if (helper)
		pthread_join(t, NULL);
	return cache; // NORACE
}
