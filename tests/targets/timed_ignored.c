/* A client waits a while for an answer and does not ask whether it came or the time was over.
 *
 * kind: order-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static int *answer;

static void *server(void *arg)
{
	int *a = malloc(sizeof(*a));

	*a = 42;
	pthread_mutex_lock(&lock);
	answer = a;
	pthread_cond_signal(&answered);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *client(void *arg)
{
	struct timespec until;
	int r = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 100000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&lock);
	while (!answer && r == 0)
		r = pthread_cond_timedwait(&answered, &lock, &until);
	assert(answer); /* BUG */
	*(int *)arg = *answer;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int got = 0;

	pthread_create(&a, NULL, server, NULL);
	pthread_create(&b, NULL, client, &got);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
