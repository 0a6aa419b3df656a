/* Two senders put their messages into one ring.  A sender reads the head, writes the slot and
 * moves the head: two of them in there at once write the same slot, and a message is lost.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

#define SLOTS 8
#define EACH  3

static int ring[SLOTS];
static unsigned head;

static void send(int message)
{
	unsigned at = head; /* BUG */

	ring[at % SLOTS] = message;
	head = at + 1; /* BUG */
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
