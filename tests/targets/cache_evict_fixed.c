/* cache_evict.c, mended: the entry is found and marked under one lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	int value, users, valid;
} entry = {99, 0, 1};

static void *user(void *arg)
{
	int found;

	pthread_mutex_lock(&lock);
	found = entry.valid;
	entry.users += found;
	pthread_mutex_unlock(&lock);
	if (!found)
		return arg;
	pthread_mutex_lock(&lock);
	assert(entry.value == 99);
	entry.users--;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *cleaner(void *arg)
{
	pthread_mutex_lock(&lock);
	if (entry.users == 0) {
		entry.valid = 0;
		entry.value = 0;
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, user, NULL);
	pthread_create(&two, NULL, cleaner, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
