/* circular_buffer.c, mended: a sender holds the lock from the reading of the head to its moving.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

#define SLOTS 8
#define EACH  3

static int ring[SLOTS];
static unsigned head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void send(int message)
{
	unsigned at;

	pthread_mutex_lock(&lock);
	at = head;
	ring[at % SLOTS] = message;
	head = at + 1;
	pthread_mutex_unlock(&lock);
}

static void *sender(void *message)
{
	for (int i = 0; i < EACH; i++)
		send(*(int *)message);
	return NULL;
}

int main(void)
{
	int messages[2] = {1, 100}, sum = 0;
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, sender, &messages[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (unsigned i = 0; i < head; i++)
		sum += ring[i % SLOTS];
	assert(sum == EACH * 101);
	return 0;
}
