/* rwlock_upgrade.c, mended: the search is repeated under the write lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int keys[4], used;

static int find(int key)
{
	for (int i = 0; i < used; i++)
		if (keys[i] == key)
			return 1;
	return 0;
}

static void *look_up(void *arg)
{
	int key = 7, found;

	pthread_rwlock_rdlock(&lock);
	found = find(key);
	pthread_rwlock_unlock(&lock);
	if (!found) {
		pthread_rwlock_wrlock(&lock);
		if (!find(key))
			keys[used++] = key;
		pthread_rwlock_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, look_up, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(used == 1);
	return 0;
}
