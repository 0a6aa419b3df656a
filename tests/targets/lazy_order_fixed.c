/* lazy_order.c, mended: the checker is created when the main thread has added.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add_one(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	data++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *add_two(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	data += 2;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *check(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	assert(data >= 2);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t one, three;

	add_two(NULL);
	pthread_create(&one, NULL, add_one, NULL);
	pthread_create(&three, NULL, check, NULL);
	pthread_join(one, NULL);
	pthread_join(three, NULL);
	return 0;
}
