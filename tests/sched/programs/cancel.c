/* Threads are cancelled where they wait; their clean-up handlers run. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "%d: %s\n", __LINE__, #x), exit(1)))
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static int fds[2], cleaned, where;
static void unlock(void *p)
{
	CHECK(pthread_mutex_unlock(p) == 0);
	cleaned++;
}
static void note(void *p)
{
	(void)p;
	cleaned++;
}
static void *in_cond(void *p)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, &m);
	for (;;)
		pthread_cond_wait(&c, &m);
	pthread_cleanup_pop(1);
	return p;
}
static void *elsewhere(void *p)
{
	char x;
	int old;
	pthread_cleanup_push(note, NULL);
	switch (*(int *)p) {
	case 0:
		sem_wait(&s);
		break;
	case 1:
		sleep(1000000);
		for (;;)
			pthread_testcancel();
	case 2:
		(void)!read(fds[0], &x, 1);
		break;
	case 3:
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
		for (;;)
			sched_yield();
	}
	pthread_cleanup_pop(0);
	return p;
}
int main(void)
{
	pthread_t t;
	void *r;
	sem_init(&s, 0, 0);
	CHECK(pipe(fds) == 0);
	pthread_create(&t, NULL, in_cond, NULL);
	CHECK(pthread_cancel(t) == 0);
	CHECK(pthread_join(t, &r) == 0 && r == PTHREAD_CANCELED);
	for (where = 0; where < 4; where++) {
		int now = where;
		pthread_create(&t, NULL, elsewhere, &now);
		CHECK(pthread_cancel(t) == 0);
		CHECK(pthread_join(t, &r) == 0 && r == PTHREAD_CANCELED);
	}
	CHECK(pthread_mutex_trylock(&m) == 0);
	fprintf(stderr, "cleaned %d\n", cleaned);
	return 0;
}
