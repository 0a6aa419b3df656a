// The constructor of a static object starts a thread, which runs beside main().
#include <pthread.h>

static int hits, quiet;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *watch(void *arg)
{
	hits++; // RACE
	pthread_mutex_lock(&m);
	quiet++; // NORACE
	pthread_mutex_unlock(&m);
	return nullptr;
}

struct watcher {
	pthread_t id;

	watcher()
	{
		hits = 1; // NORACE
		pthread_create(&id, nullptr, watch, nullptr);
	}
};

static watcher one;

int main()
{
	hits++; // RACE
	pthread_mutex_lock(&m);
	quiet++; // NORACE
	pthread_mutex_unlock(&m);
	return 0;
}
