/* deadlock_2.c, mended: both take the locks in the same order.
 *
 * kind: none */
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int work;

static void *forward(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&left);
	pthread_mutex_lock(&right);
	work++;
	pthread_mutex_unlock(&right);
	pthread_mutex_unlock(&left);
	return NULL;
}

static void *backward(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&left);
	pthread_mutex_lock(&right);
	work--;
	pthread_mutex_unlock(&right);
	pthread_mutex_unlock(&left);
	return NULL;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, forward, NULL);
	pthread_create(&two, NULL, backward, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return work;
}
