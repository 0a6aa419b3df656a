/* Readers and writers: the first reader locks out the writers, the last one lets them in.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t write_sem, count_sem;
static int readers, a, b;

static void *reader(void *arg)
{
	for (int i = 0; i < 2; i++) {
		sem_wait(&count_sem);
		if (++readers == 1)
			sem_wait(&write_sem);
		sem_post(&count_sem);
		assert(a == b);
		sem_wait(&count_sem);
		if (--readers == 0)
			sem_post(&write_sem);
		sem_post(&count_sem);
	}
	return arg;
}

static void *writer(void *arg)
{
	for (int i = 0; i < 2; i++) {
		sem_wait(&write_sem);
		a++;
		b++;
		sem_post(&write_sem);
	}
	return arg;
}

int main(void)
{
	pthread_t threads[3];

	sem_init(&write_sem, 0, 1);
	sem_init(&count_sem, 0, 1);
	pthread_create(&threads[0], NULL, reader, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	pthread_create(&threads[2], NULL, writer, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
