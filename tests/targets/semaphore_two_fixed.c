/* semaphore_two.c, mended: it is made with one.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static int in_use;

static void *use(void *arg)
{
	sem_wait(&lock);
	in_use++;
	assert(in_use == 1);
	in_use--;
	sem_post(&lock);
	return arg;
}

int main(void)
{
	pthread_t users[3];

	sem_init(&lock, 0, 1);
	for (int i = 0; i < 3; i++)
		pthread_create(&users[i], NULL, use, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(users[i], NULL);
	return 0;
}
