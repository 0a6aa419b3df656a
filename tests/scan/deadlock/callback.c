/* A callback takes the second lock. */
#include <pthread.h>

static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;

static void each(void (*fn)(void))
{
	pthread_mutex_lock(&list);
	fn();
	pthread_mutex_unlock(&list);
}

static void say(void)
{
	pthread_mutex_lock(&log_lock); // DEADLOCK
	pthread_mutex_unlock(&log_lock);
}

static void *one(void *arg)
{
	each(say);
	return NULL;
}

static void *two(void *arg)
{
	pthread_mutex_lock(&log_lock);
	pthread_mutex_lock(&list); // DEADLOCK
	pthread_mutex_unlock(&list);
	pthread_mutex_unlock(&log_lock);
	return NULL;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, one, NULL);
	pthread_create(&t2, NULL, two, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
