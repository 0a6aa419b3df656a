/* A thread waits for a reply on a condition variable, and keeps a second lock that the thread
 * which replies needs first.
 *
 * kind: deadlock
 * harm: deadlock, hang */
#include <pthread.h>

static pthread_mutex_t session = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t replied = PTHREAD_COND_INITIALIZER;
static int requests, reply;

static void *server(void *arg)
{
	pthread_mutex_lock(&session); /* BUG */
	requests++;
	pthread_mutex_unlock(&session);
	pthread_mutex_lock(&lock);
	reply = 1;
	pthread_cond_signal(&replied);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *client(void *arg)
{
	pthread_mutex_lock(&session);
	requests++;
	pthread_mutex_lock(&lock);
	while (!reply)
		pthread_cond_wait(&replied, &lock); /* BUG */
	pthread_mutex_unlock(&lock);
	pthread_mutex_unlock(&session);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, client, NULL);
	server(NULL);
	pthread_join(t, NULL);
	return requests != 2;
}
