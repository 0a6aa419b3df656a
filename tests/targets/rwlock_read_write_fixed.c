/* rwlock_read_write.c, mended: the counter is changed under the write lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits, table[4] = {4, 3, 2, 1};

static void *reader(void *arg)
{
	int *found = arg;

	pthread_rwlock_wrlock(&lock);
	hits++;
	*found = table[*found];
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	int keys[3] = {0, 1, 2};
	pthread_t readers[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&readers[i], NULL, reader, &keys[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(readers[i], NULL);
	assert(hits == 3);
	return 0;
}
