/* Own functions around the mutex; one user forgets them. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER;
static int rows, columns;

static void table_lock(void)
{
	if (pthread_mutex_lock(&table_mutex))
		abort();
}

static void table_unlock(void)
{
	if (pthread_mutex_unlock(&table_mutex))
		abort();
}

static void *grow(void *arg)
{
	table_lock();
	rows++;    // NORACE
	columns++; // RACE
	table_unlock();
	return NULL;
}

static void *shrink(void *arg)
{
	table_lock();
	rows--; // NORACE
	table_unlock();
	columns--; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, grow, NULL);
	pthread_create(&b, NULL, shrink, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return rows + columns; // NORACE
}
