/* Two threads take two locks, each in the other's order.
 *
 * kind: deadlock
 * harm: deadlock */
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int work;

static void *forward(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&left);
	pthread_mutex_lock(&right); /* BUG */
	work++;
	pthread_mutex_unlock(&right);
	pthread_mutex_unlock(&left);
	return NULL;
}

static void *backward(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&right);
	pthread_mutex_lock(&left); /* BUG */
	work--;
	pthread_mutex_unlock(&left);
	pthread_mutex_unlock(&right);
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
