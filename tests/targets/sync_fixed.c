/* sync.c, mended: the consumer waits in a loop.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int slot, stage;

static void *producer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	stage = 1;
	pthread_cond_broadcast(&changed); /* "I have begun" */
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	slot = 42;
	stage = 2;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *consumer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	while (stage < 2)
		pthread_cond_wait(&changed, &lock);
	assert(slot == 42);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, producer, NULL);
	pthread_create(&two, NULL, consumer, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
