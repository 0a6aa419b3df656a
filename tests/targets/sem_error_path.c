/* A semaphore is used as a lock.  The way out for a full buffer posts it, and the common way out
 * does so once more: from then on two may be inside.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define ROOM 3

static sem_t guard;
static int used, refused;

static void add(void)
{
	int before;

	sem_wait(&guard);
	if (used == ROOM) {
		refused++;
		sem_post(&guard); /* BUG */
		goto out;
	}
	before = used;
	used = before + 1;
	assert(used == before + 1 && used <= ROOM);
out:
	sem_post(&guard);
}

static void take(void)
{
	int before;

	sem_wait(&guard);
	before = used;
	if (before > 0)
		used = before - 1;
	assert(before == 0 || used == before - 1);
	sem_post(&guard);
}

static void *producer(void *arg)
{
	for (int i = 0; i < 4; i++)
		add();
	return arg;
}

static void *consumer(void *arg)
{
	for (int i = 0; i < 4; i++)
		take();
	return arg;
}

int main(void)
{
	pthread_t threads[3];

	sem_init(&guard, 0, 1);
	pthread_create(&threads[0], NULL, producer, NULL);
	pthread_create(&threads[1], NULL, consumer, NULL);
	pthread_create(&threads[2], NULL, consumer, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
