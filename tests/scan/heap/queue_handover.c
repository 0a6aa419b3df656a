/* A bounded queue: whoever takes an item out has it for himself. */
#include <pthread.h>
#include <stdlib.h>

struct item {
	int value, done;
};

static struct item *ring[8];
static unsigned head, tail;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;

static void put(struct item *it)
{
	pthread_mutex_lock(&m);
	while (tail - head == 8) // NORACE
		pthread_cond_wait(&room, &m);
	ring[tail++ % 8] = it; // NORACE
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&m);
}

static struct item *get(void)
{
	struct item *it;

	pthread_mutex_lock(&m);
	while (tail == head) // NORACE
		pthread_cond_wait(&more, &m);
	it = ring[head++ % 8]; // NORACE
	pthread_cond_signal(&room);
	pthread_mutex_unlock(&m);
	return it;
}

static void *consumer(void *arg)
{
	for (int i = 0; i < 20; i++) {
		struct item *it = get();

		it->done = it->value + 1; // NORACE
		free(it);                 // NORACE
	}
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, consumer, NULL);
	for (int i = 0; i < 20; i++) {
		struct item *it = malloc(sizeof(*it));

		it->value = i; // NORACE
		it->done = 0;  // NORACE
		put(it);
	}
	pthread_join(id, NULL);
	return 0;
}
