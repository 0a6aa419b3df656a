/* a, b; b, c; c, a. */
#include <pthread.h>

static pthread_mutex_t m[3] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *one(void *arg)
{
	pthread_mutex_lock(&m[0]);
	pthread_mutex_lock(&m[1]); // DEADLOCK
	pthread_mutex_unlock(&m[1]);
	pthread_mutex_unlock(&m[0]);
	return NULL;
}

static void *two(void *arg)
{
	pthread_mutex_lock(&m[1]);
	pthread_mutex_lock(&m[2]); // DEADLOCK
	pthread_mutex_unlock(&m[2]);
	pthread_mutex_unlock(&m[1]);
	return NULL;
}

static void *three(void *arg)
{
	pthread_mutex_lock(&m[2]);
	pthread_mutex_lock(&m[0]); // DEADLOCK
	pthread_mutex_unlock(&m[0]);
	pthread_mutex_unlock(&m[2]);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, two, NULL);
	pthread_create(&t[2], NULL, three, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
