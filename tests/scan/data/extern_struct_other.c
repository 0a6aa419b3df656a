/* The other half of extern_struct.c. */
// part-of: data/extern_struct.c
#include <pthread.h>

struct settings {
	int first, second;
	pthread_mutex_t lock;
} settings = {.lock = PTHREAD_MUTEX_INITIALIZER};

void *other(void *arg)
{
	settings.first = 5; // RACE
	pthread_mutex_lock(&settings.lock);
	settings.second = 6; // NORACE
	pthread_mutex_unlock(&settings.lock);
	return NULL;
}
