/* A reader and a writer count themselves under one lock and take a second one when they are the
 * first of their kind.  Each takes the second lock while it holds the first, but in its own
 * order.
 *
 * kind: deadlock
 * harm: deadlock */
#include <pthread.h>

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static int readers, writers, checks;

static void *reader(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&count_lock); /* BUG */
	if (++readers == 1)
		pthread_mutex_lock(&state_lock); /* BUG */
	pthread_mutex_unlock(&count_lock);
	pthread_mutex_lock(&count_lock);
	if (--readers == 0)
		pthread_mutex_unlock(&state_lock);
	pthread_mutex_unlock(&count_lock);
	return NULL;
}

static void *writer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&state_lock); /* BUG */
	pthread_mutex_lock(&count_lock); /* BUG */
	writers++;
	pthread_mutex_unlock(&count_lock);
	pthread_mutex_unlock(&state_lock);
	return NULL;
}

static void *passer_by(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&count_lock);
	checks++;
	pthread_mutex_unlock(&count_lock);
	return NULL;
}

int main(void)
{
	void *(*jobs[])(void *) = {reader, writer, passer_by, passer_by};
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, jobs[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
