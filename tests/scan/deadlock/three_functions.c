/* The order of two locks depends on who calls whom. */
#include <pthread.h>

static pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER, disk = PTHREAD_MUTEX_INITIALIZER;
static int hits, reads;

static void read_disk(void)
{
	pthread_mutex_lock(&disk); // DEADLOCK
	reads++;                   // NORACE
	pthread_mutex_unlock(&disk);
}

static void lookup(void)
{
	pthread_mutex_lock(&cache);
	hits++; // NORACE
	read_disk();
	pthread_mutex_unlock(&cache);
}

static void drop_cache(void)
{
	pthread_mutex_lock(&cache); // DEADLOCK
	hits = 0;                   // NORACE
	pthread_mutex_unlock(&cache);
}

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&disk);
	reads = 0; // NORACE
	drop_cache();
	pthread_mutex_unlock(&disk);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	lookup();
	pthread_join(id, NULL);
	return 0;
}
