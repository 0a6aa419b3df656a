/* The ways in which threads end: thread-specific data, pthread_exit, detached ones. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "%d: %s\n", __LINE__, #x), exit(1)))
static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t gone;
static int destroyed, exits;
static void destroy(void *p)
{
	pthread_mutex_lock(&m);
	destroyed++;
	pthread_mutex_unlock(&m);
	if (p)
		sem_post(&gone);
}
static void deeper(void)
{
	pthread_exit((void *)7);
}
static void *worker(void *p)
{
	pthread_setspecific(key, &gone);
	deeper();
	return p;
}
static void at_exit(void)
{
	pthread_mutex_lock(&m);
	exits++;
	pthread_mutex_unlock(&m);
}
int main(void)
{
	pthread_t t[4];
	pthread_attr_t a;
	void *r;
	sem_init(&gone, 0, 0);
	atexit(at_exit);
	pthread_key_create(&key, destroy);
	pthread_attr_init(&a);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], i < 2 ? &a : NULL, worker, NULL);
	CHECK(pthread_detach(t[2]) == 0);
	CHECK(pthread_join(t[3], &r) == 0 && r == (void *)7);
	for (int i = 0; i < 4; i++)
		sem_wait(&gone);
	pthread_mutex_lock(&m);
	CHECK(destroyed == 4);
	pthread_mutex_unlock(&m);
	pthread_exit(NULL);
}
