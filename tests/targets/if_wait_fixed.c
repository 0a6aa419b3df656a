/* if_wait.c, mended: the condition is looked at again after each wait.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *arg)
{
	usleep(10000); /* sets itself up */
	pthread_mutex_lock(&lock);
	while (items == 0)
		pthread_cond_wait(&filled, &lock);
	assert(items > 0);
	items--;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void produce(void)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		items++;
		pthread_cond_broadcast(&filled);
		pthread_mutex_unlock(&lock);
	}
}

int main(void)
{
	pthread_t consumers[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&consumers[i], NULL, consumer, NULL);
	produce();
	for (int i = 0; i < 2; i++)
		pthread_join(consumers[i], NULL);
	return 0;
}
