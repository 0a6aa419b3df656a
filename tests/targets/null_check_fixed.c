/* null_check.c, mended: the pointer is read once, under the lock.
 *
 * kind: none */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *volatile status = "sorting";
static char shown[32];

static void *show(void *arg)
{
	pthread_mutex_lock(&lock);
	if (status)
		for (int i = 0; i < 7; i++)
			shown[i] = status[i];
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *finish(void *arg)
{
	pthread_mutex_lock(&lock);
	status = NULL;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, show, NULL);
	pthread_create(&two, NULL, finish, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return shown[0] != 's' && shown[0] != 0;
}
