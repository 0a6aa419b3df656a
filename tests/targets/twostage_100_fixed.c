/* twostage_100.c, mended: one lock is held over both stages.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

#define WRITERS 99

static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static int data, sum;

static void *writer(void *arg)
{
	pthread_mutex_lock(&data_lock);
	data = 1;
	sum = 2;
	pthread_mutex_unlock(&data_lock);
	return arg;
}

static void *reader(void *arg)
{
	int first, second;

	pthread_mutex_lock(&data_lock);
	first = data;
	second = sum;
	pthread_mutex_unlock(&data_lock);
	assert(first == 0 || second == first + 1);
	return arg;
}

int main(void)
{
	pthread_t threads[WRITERS + 1];

	for (int i = 0; i <= WRITERS; i++)
		pthread_create(&threads[i], NULL, i < WRITERS ? writer : reader, NULL);
	for (int i = 0; i <= WRITERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
