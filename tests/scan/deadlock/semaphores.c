/* Two semaphores as mutexes, in opposite orders. */
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;

static void *one(void *arg)
{
	sem_wait(&a);
	sem_wait(&b); // DEADLOCK
	sem_post(&b);
	sem_post(&a);
	return NULL;
}

static void *two(void *arg)
{
	sem_wait(&b);
	sem_wait(&a); // DEADLOCK
	sem_post(&a);
	sem_post(&b);
	return NULL;
}

int main(void)
{
	pthread_t t1, t2;

	sem_init(&a, 0, 1);
	sem_init(&b, 0, 1);
	pthread_create(&t1, NULL, one, NULL);
	pthread_create(&t2, NULL, two, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
