/* reorder_3.c, mended: the pair is written and read under a lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

#define SETTERS 2

static int a, b;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *setter(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	a = 1;
	b = -1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *checker(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	assert((a == 0 && b == 0) || (a == 1 && b == -1));
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t setters[SETTERS], last;

	for (int i = 0; i < SETTERS; i++)
		pthread_create(&setters[i], NULL, setter, NULL);
	pthread_create(&last, NULL, checker, NULL);
	for (int i = 0; i < SETTERS; i++)
		pthread_join(setters[i], NULL);
	pthread_join(last, NULL);
	return 0;
}
