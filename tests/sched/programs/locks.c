/* Every kind of lock keeps its promises: exclusion, errors, recursion, owners that die. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "%d: %s\n", __LINE__, #x), exit(1)))
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_mutex_t recursive, checking, robust, plain = PTHREAD_MUTEX_INITIALIZER;
static int readers, writers, spinners, tried;
static void *worker(void *p)
{
	for (int i = 0; i < 4; i++) {
		pthread_rwlock_rdlock(&rw);
		__atomic_add_fetch(&readers, 1, __ATOMIC_SEQ_CST);
		CHECK(writers == 0);
		sched_yield();
		CHECK(writers == 0);
		__atomic_sub_fetch(&readers, 1, __ATOMIC_SEQ_CST);
		pthread_rwlock_unlock(&rw);
		pthread_rwlock_wrlock(&rw);
		CHECK(++writers == 1 && readers == 0);
		sched_yield();
		CHECK(--writers == 0);
		pthread_rwlock_unlock(&rw);
		pthread_spin_lock(&spin);
		CHECK(++spinners == 1);
		sched_yield();
		spinners--;
		pthread_spin_unlock(&spin);
		pthread_mutex_lock(&recursive);
		CHECK(pthread_mutex_lock(&recursive) == 0);
		pthread_mutex_unlock(&recursive);
		pthread_mutex_unlock(&recursive);
		CHECK(pthread_mutex_lock(&checking) == 0);
		CHECK(pthread_mutex_lock(&checking) == EDEADLK);
		CHECK(pthread_mutex_unlock(&checking) == 0);
		CHECK(pthread_mutex_unlock(&checking) == EPERM);
		while (pthread_mutex_trylock(&plain) == EBUSY)
			;
		CHECK(++tried == 1);
		sched_yield();
		tried--;
		pthread_mutex_unlock(&plain);
	}
	return p;
}
static void *inherits(void *p)
{
	int r = pthread_mutex_lock(&robust);

	CHECK(r == 0 || r == EOWNERDEAD);
	if (r == EOWNERDEAD)
		CHECK(pthread_mutex_consistent(&robust) == 0);
	pthread_mutex_unlock(&robust);
	return p;
}
static void *dies(void *p)
{
	pthread_mutex_lock(&robust);
	return p;
}
static void init(pthread_mutex_t *m, int type, int is_robust)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, type);
	if (is_robust)
		pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(m, &a);
}
int main(void)
{
	pthread_t t[3];
	init(&recursive, PTHREAD_MUTEX_RECURSIVE, 0);
	init(&checking, PTHREAD_MUTEX_ERRORCHECK, 0);
	init(&robust, PTHREAD_MUTEX_NORMAL, 1);
	pthread_spin_init(&spin, 0);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	pthread_create(&t[0], NULL, dies, NULL);
	pthread_join(t[0], NULL);
	CHECK(pthread_mutex_lock(&robust) == EOWNERDEAD);
	CHECK(pthread_mutex_consistent(&robust) == 0);
	CHECK(pthread_mutex_unlock(&robust) == 0);
	pthread_create(&t[0], NULL, dies, NULL);
	pthread_create(&t[1], NULL, inherits, NULL);
	CHECK(pthread_mutex_lock(&checking) == 0);
	CHECK(pthread_mutex_unlock(&checking) == 0);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	if (pthread_mutex_lock(&robust) == EOWNERDEAD)
		CHECK(pthread_mutex_consistent(&robust) == 0);
	CHECK(pthread_mutex_unlock(&robust) == 0);
	CHECK(pthread_mutex_destroy(&robust) == 0);
	return 0;
}
