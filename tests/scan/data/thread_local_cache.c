/* Each thread has a cache of its own, and adds it to the whole from time to time; one buffer is not
 * each thread's own. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct cache {
	long hits;
	char text[32];
};

static pthread_key_t key;
static __thread long calls;
static char message[32];
static long total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct cache *mine(void)
{
	struct cache *c = pthread_getspecific(key);

	if (!c) {
		c = calloc(1, sizeof(*c));
		pthread_setspecific(key, c);
	}
	return c;
}

static const char *describe(int n)
{
	snprintf(message, sizeof(message), "%d", n); // RACE
	return message;
}

static void *worker(void *arg)
{
	for (int i = 0; i < 100; i++) {
		struct cache *c = mine();

		calls++;                                     // NORACE
		c->hits++;                                   // NORACE
		snprintf(c->text, sizeof(c->text), "%d", i); // NORACE
		describe(i);
	}
	pthread_mutex_lock(&m);
	total += mine()->hits + calls; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_key_create(&key, free);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return total < 0; // NORACE
}
