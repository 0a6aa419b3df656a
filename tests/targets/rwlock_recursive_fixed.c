/* rwlock_recursive.c, mended: the inner function is called with the lock held.
 *
 * kind: none */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int size = 3;

static int get_size(void)
{
	return size;
}

static void *reader(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	*(int *)arg = get_size() * get_size();
	pthread_rwlock_unlock(&lock);
	return NULL;
}

static void *writer(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	size++;
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t one, two;
	int area;

	pthread_create(&one, NULL, reader, &area);
	pthread_create(&two, NULL, writer, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return area == 0;
}
