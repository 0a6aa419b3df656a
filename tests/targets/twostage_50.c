/* As twostage_20.c with forty-nine writers.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

#define WRITERS 49

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *writer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&first_lock); /* BUG */
	first = 1;
	pthread_mutex_unlock(&first_lock);
	pthread_mutex_lock(&second_lock); /* BUG */
	second = 2;
	pthread_mutex_unlock(&second_lock);
	return NULL;
}

static void *reader(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&first_lock); /* BUG */
	if (first == 0) {
		pthread_mutex_unlock(&first_lock);
		return NULL;
	}
	pthread_mutex_unlock(&first_lock);
	pthread_mutex_lock(&second_lock); /* BUG */
	assert(second == 2);
	pthread_mutex_unlock(&second_lock);
	return NULL;
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
