/* A bounded buffer of semaphores in which the consumer takes the buffer's lock before it waits
 * for an item: the producer cannot put one in.
 *
 * kind: deadlock
 * harm: deadlock, hang */
#include <pthread.h>
#include <semaphore.h>

#define ITEMS 3

static sem_t lock, items, slots;
static int buffer[3], in, out;

static void produce(void)
{
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&slots);
		sem_wait(&lock);
		buffer[in++ % 3] = i;
		sem_post(&lock);
		sem_post(&items);
	}
}

static void *consumer(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&lock);  /* BUG */
		sem_wait(&items); /* BUG */
		*(int *)arg += buffer[out++ % 3];
		sem_post(&lock);
		sem_post(&slots);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;
	int sum = 0;

	sem_init(&lock, 0, 1);
	sem_init(&items, 0, 0);
	sem_init(&slots, 0, 3);
	pthread_create(&t, NULL, consumer, &sum);
	produce();
	pthread_join(t, NULL);
	return sum != 3;
}
