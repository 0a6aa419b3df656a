/* The producer looks at the item after it was put into the queue. */
#include <pthread.h>
#include <stdlib.h>

struct item {
	int value;
};

static struct item *slot;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void *consumer(void *arg)
{
	struct item *it;

	pthread_mutex_lock(&m);
	while (!slot) // NORACE
		pthread_cond_wait(&more, &m);
	it = slot;   // NORACE
	slot = NULL; // NORACE
	pthread_mutex_unlock(&m);
	it->value++; // MISS RACE
	return NULL;
}

int main(void)
{
	pthread_t id;
	struct item *it = malloc(sizeof(*it));
	int v;

	pthread_create(&id, NULL, consumer, NULL);
	it->value = 1; // NORACE
	pthread_mutex_lock(&m);
	slot = it; // NORACE
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&m);
	v = it->value; // MISS RACE
	pthread_join(id, NULL);
	return v;
}
