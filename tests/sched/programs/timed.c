/* Time-outs come, in logical time, and never before their time. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "%d: %s\n", __LINE__, #x), exit(1)))
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static struct timespec in(int seconds)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += seconds;
	return t;
}
static int passed(struct timespec t)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec > t.tv_sec || (now.tv_sec == t.tv_sec && now.tv_nsec >= t.tv_nsec);
}
static void *waits(void *p)
{
	struct timespec t = in(3600);
	CHECK(pthread_mutex_timedlock(&held, &t) == ETIMEDOUT && passed(t));
	t = in(7200);
	CHECK(sem_timedwait(&s, &t) == -1 && errno == ETIMEDOUT && passed(t));
	pthread_mutex_lock(&m);
	t = in(100);
	CHECK(pthread_cond_timedwait(&c, &m, &t) == ETIMEDOUT && passed(t));
	pthread_mutex_unlock(&m);
	return p;
}
int main(void)
{
	pthread_t t;
	struct timespec until;
	void *r;
	time_t start = time(NULL);
	sem_init(&s, 0, 0);
	pthread_mutex_lock(&held);
	pthread_create(&t, NULL, waits, &m);
	until = in(10);
	CHECK(pthread_timedjoin_np(t, &r, &until) == ETIMEDOUT);
	CHECK(pthread_tryjoin_np(t, &r) == EBUSY);
	CHECK(pthread_join(t, &r) == 0 && r == &m);
	sleep(100000);
	CHECK(time(NULL) - start >= 100000 + 7200);
	return 0;
}
