/* A status text is checked and then used, while its owner takes it away between the two.
 *
 * kind: atomicity-violation
 * harm: crash */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *volatile status = "sorting";
static char shown[32];

static void *show(void *arg)
{
	pthread_mutex_lock(&lock);
	if (status) /* BUG */
		for (int i = 0; i < 7; i++)
			shown[i] = status[i]; /* BUG */
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *finish(void *arg)
{
	status = NULL; /* BUG */
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
