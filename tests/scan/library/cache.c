/* A library without main and without threads of its own: its locks say that callers have some. */
// norun
#include <pthread.h>
#include <stddef.h>

#define SIZE 16

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static const char *keys[SIZE];
static int used;

int cache_put(const char *key)
{
	int r = -1;

	pthread_mutex_lock(&cache_lock);
	if (used < SIZE) {          // RACE
		keys[used++] = key; // RACE
		r = 0;
	}
	pthread_mutex_unlock(&cache_lock);
	return r;
}

const char *cache_get(int i)
{
	const char *key = NULL;

	pthread_mutex_lock(&cache_lock);
	if (i < used)          // RACE
		key = keys[i]; // NORACE
	pthread_mutex_unlock(&cache_lock);
	return key;
}

void cache_pop(void)
{
	pthread_mutex_lock(&cache_lock);
	if (used > 0)   // RACE
		used--; // RACE
	pthread_mutex_unlock(&cache_lock);
}

void cache_clear(void)
{
	used = 0; // RACE
}
