/* The second lock is taken two calls further down. */
#include <pthread.h>

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines, entries;

static void write_line(void)
{
	pthread_mutex_lock(&log_lock); // DEADLOCK
	lines++;                       // NORACE
	pthread_mutex_unlock(&log_lock);
}

static void note(int n)
{
	if (n > 0)
		write_line();
}

static void cache_flush(void)
{
	pthread_mutex_lock(&cache_lock); // DEADLOCK
	entries = 0;                     // NORACE
	pthread_mutex_unlock(&cache_lock);
}

static void *user(void *arg)
{
	pthread_mutex_lock(&cache_lock);
	entries++;     // NORACE
	note(entries); // NORACE
	pthread_mutex_unlock(&cache_lock);
	return NULL;
}

static void *rotator(void *arg)
{
	pthread_mutex_lock(&log_lock);
	lines = 0; // NORACE
	cache_flush();
	pthread_mutex_unlock(&log_lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, user, NULL);
	pthread_create(&b, NULL, rotator, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
