/* Double-checked initialisation with plain accesses: the first check is a race. */
#include <pthread.h>
#include <stdlib.h>

struct settings {
	int verbose;
};

static struct settings *settings;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct settings *get(void)
{
	if (!settings) { // RACE
		pthread_mutex_lock(&m);
		if (!settings)                                   // NORACE
			settings = calloc(1, sizeof(*settings)); // RACE
		pthread_mutex_unlock(&m);
	}
	return settings; // RACE
}

static void *worker(void *arg)
{
	return get();
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return settings == NULL; // NORACE
}
