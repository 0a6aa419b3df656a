/* A timer thread runs callbacks without its lock.  Cancelling waits for one that runs already.
 *
 * kind: none */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct timer {
	bool armed, running;
	void (*call)(void *arg);
	void *arg;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct timer timer;
static bool stop;

static void beat(void *arg)
{
	(*(int *)arg)++;
}

static void *timers(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!stop) {
		if (!timer.armed) {
			pthread_cond_wait(&changed, &lock);
			continue;
		}
		timer.armed = false;
		timer.running = true;
		pthread_mutex_unlock(&lock);
		timer.call(timer.arg);
		pthread_mutex_lock(&lock);
		timer.running = false;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

static void arm(int *counter)
{
	pthread_mutex_lock(&lock);
	timer = (struct timer){true, false, beat, counter};
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void cancel(void)
{
	pthread_mutex_lock(&lock);
	timer.armed = false;
	while (timer.running)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, timers, NULL);
	for (int i = 0; i < 2; i++) {
		int *counter = calloc(1, sizeof(*counter));

		arm(counter);
		cancel();
		free(counter);
	}
	pthread_mutex_lock(&lock);
	stop = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	return 0;
}
