/* A logger writes in the background.  Whoever ends the program waits until the queue is empty, but
 * the last message is out of the queue before it is written.
 *
 * kind: order-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define SLOTS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const char *queue[SLOTS];
static int queued, writing, sent;
static pthread_mutex_t file_lock = PTHREAD_MUTEX_INITIALIZER;
static char file[128];

static void say(const char *words)
{
	pthread_mutex_lock(&lock);
	while (queued == SLOTS)
		pthread_cond_wait(&changed, &lock);
	queue[queued++] = words;
	sent++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void *background(void *arg)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		const char *words;

		while (!queued)
			pthread_cond_wait(&changed, &lock);
		words = queue[0];
		memmove(queue, queue + 1, sizeof(queue[0]) * (size_t)--queued);
		writing = 1;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&file_lock);
		strcat(file, words);
		pthread_mutex_unlock(&file_lock);
		pthread_mutex_lock(&lock);
		writing = 0;
	}
	return arg;
}

static void flush(void)
{
	pthread_mutex_lock(&lock);
	while (queued) /* BUG */
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, background, NULL);
	pthread_detach(thread);
	say("one ");
	say("two ");
	say("three ");
	flush();
	pthread_mutex_lock(&file_lock);
	assert(strcmp(file, "one two three ") == 0);
	pthread_mutex_unlock(&file_lock);
	return 0;
}
