/* A helper thread works while its creator holds the lock and waits for it; what the helper starts
 * and waits for is under the lock, too. */
#include <pthread.h>

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static int entries, deep;

static void *reader(void *arg)
{
	pthread_mutex_lock(&table_lock);
	entries--; // NORACE
	deep--;    // NORACE
	pthread_mutex_unlock(&table_lock);
	return NULL;
}

static void *part(void *arg)
{
	deep += 2; // NORACE
	return NULL;
}

static void *rebuild(void *arg)
{
	pthread_t below;

	entries = 100; // NORACE
	pthread_create(&below, NULL, part, NULL);
	pthread_join(below, NULL);
	return NULL;
}

static void grow(void)
{
	pthread_t helper;

	pthread_mutex_lock(&table_lock);
	pthread_create(&helper, NULL, rebuild, NULL);
	pthread_join(helper, NULL);
	pthread_mutex_unlock(&table_lock);
}

int main(void)
{
	pthread_t r;

	pthread_create(&r, NULL, reader, NULL);
	grow();
	pthread_join(r, NULL);
	return 0;
}
