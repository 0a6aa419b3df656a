/* Ninety-nine writers in two stages and one reader.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

#define WRITERS 99

static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t sum_lock = PTHREAD_MUTEX_INITIALIZER;
static int data, sum;

static void *writer(void *arg)
{
	pthread_mutex_lock(&data_lock); /* BUG */
	data = 1;
	pthread_mutex_unlock(&data_lock);
	pthread_mutex_lock(&sum_lock); /* BUG */
	sum = 2;
	pthread_mutex_unlock(&sum_lock);
	return arg;
}

static void *reader(void *arg)
{
	int first, second;

	pthread_mutex_lock(&data_lock); /* BUG */
	first = data;
	pthread_mutex_unlock(&data_lock);
	pthread_mutex_lock(&sum_lock); /* BUG */
	second = sum;
	pthread_mutex_unlock(&sum_lock);
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
