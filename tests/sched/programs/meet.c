/* Semaphores, barriers, once. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "%d: %s\n", __LINE__, #x), exit(1)))
static sem_t two;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int inside, passed, serial, initialised;
static void init(void)
{
	sched_yield();
	initialised++;
}
static void *worker(void *p)
{
	for (int i = 0; i < 3; i++) {
		sem_wait(&two);
		CHECK(__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST) <= 2);
		sched_yield();
		__atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
		sem_post(&two);
		pthread_once(&once, init);
		CHECK(initialised == 1);
		__atomic_add_fetch(&passed, 1, __ATOMIC_SEQ_CST);
		if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
			serial++;
		CHECK(passed >= 4 * (i + 1));
	}
	return p;
}
int main(void)
{
	pthread_t t[4];
	sem_init(&two, 0, 2);
	pthread_barrier_init(&barrier, NULL, 4);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	CHECK(serial == 3);
	CHECK(sem_trywait(&two) == 0 && sem_trywait(&two) == 0);
	CHECK(sem_trywait(&two) == -1 && errno == EAGAIN);
	return 0;
}
