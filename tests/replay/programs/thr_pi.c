/* Priority-inheritance mutexes: FUTEX_LOCK_PI under contention. */
#include "t.h"

static pthread_mutex_t m;
static char order[121];
static int n;

static void *body(void *arg)
{
	for (int i = 0; i < 40; i++) {
		TRY0(pthread_mutex_lock(&m));
		order[n++] = (char)('a' + (intptr_t)arg);
		if (i % 4 == 0)
			t_sleep_us(20);
		TRY0(pthread_mutex_unlock(&m));
		if (i % 3 == 0)
			sched_yield();
	}
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t a;
	pthread_t th[3];

	TRY0(pthread_mutexattr_init(&a));
	TRY0(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT));
	TRY0(pthread_mutex_init(&m, &a));
	for (intptr_t i = 0; i < 3; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 3; i++)
		TRY0(pthread_join(th[i], NULL));
	CHECK(n == 120);
	say("%s\n", order);
	return 0;
}
