/* <threads.h>: glibc implements it on its own pthreads, past those that are taken over. */
#include <errno.h>
#include <limits.h>

#include "common/mem.h"
#include "sched/core.h"
#include "sched/real.h"

static int answer(int error)
{
	switch (error) {
	case 0:
		return thrd_success;
	case EBUSY:
		return thrd_busy;
	case ETIMEDOUT:
		return thrd_timedout;
	case ENOMEM:
	case EAGAIN:
		return thrd_nomem;
	default:
		return thrd_error;
	}
}

struct c11_start {
	thrd_start_t function;
	void *argument;
};

static void *start(void *p)
{
	struct c11_start s = *(struct c11_start *)p;

	return (void *)(intptr_t)s.function(s.argument);
}

DH_EXPORT int thrd_create(thrd_t *ret, thrd_start_t function, void *argument)
{
	struct c11_start *s;

	if (!dh_scheduled(dh_self)) {
		dh_threads_before_main++;
		return dh_real()->thrd_create(ret, function, argument);
	}
	s = rt_alloc(sizeof(*s));
	if (!s)
		return thrd_nomem;
	*s = (struct c11_start){function, argument};
	return answer(dh_create_at((pthread_t *)ret, NULL, start, s, DH_CALLER()));
}

DH_EXPORT int thrd_join(thrd_t t, int *ret)
{
	void *result = NULL;
	int r;

	if (!dh_scheduled(dh_self))
		return dh_real()->thrd_join(t, ret);
	r = dh_join_at((pthread_t)t, &result, DH_CALLER(), DH_NEVER);
	if (r == 0 && ret)
		*ret = (int)(intptr_t)result;
	return answer(r);
}

DH_EXPORT int thrd_detach(thrd_t t)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->thrd_detach(t);
	return answer(pthread_detach((pthread_t)t));
}

DH_EXPORT void thrd_yield(void)
{
	if (!dh_scheduled(dh_self))
		dh_real()->thrd_yield();
	else
		dh_yield_at(DH_CALLER());
}

DH_EXPORT int thrd_sleep(const struct timespec *duration, struct timespec *left)
{
	int r;

	if (!dh_scheduled(dh_self))
		return dh_real()->thrd_sleep(duration, left);
	r = dh_sleep_at(dh_clock_duration(duration), DH_CALLER());
	if (r != 0 && left)
		*left = (struct timespec){0};
	return r == 0 ? 0 : -1;
}

DH_EXPORT int mtx_init(mtx_t *m, int type)
{
	if (dh_scheduled(dh_self))
		dh_object_destroy(m);
	return dh_real()->mtx_init(m, type);
}

DH_EXPORT void mtx_destroy(mtx_t *m)
{
	if (dh_scheduled(dh_self))
		dh_object_destroy(m);
	dh_real()->mtx_destroy(m);
}

DH_EXPORT int mtx_lock(mtx_t *m)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->mtx_lock(m);
	return answer(dh_mutex_lock_at((pthread_mutex_t *)m, DH_CALLER(), DH_NEVER));
}

DH_EXPORT int mtx_timedlock(mtx_t *m, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->mtx_timedlock(m, until);
	return answer(dh_mutex_lock_at(
		(pthread_mutex_t *)m, DH_CALLER(), dh_clock_deadline(until, CLOCK_REALTIME)));
}

DH_EXPORT int mtx_trylock(mtx_t *m)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->mtx_trylock(m);
	return answer(dh_mutex_trylock_at((pthread_mutex_t *)m, DH_CALLER()));
}

DH_EXPORT int mtx_unlock(mtx_t *m)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->mtx_unlock(m);
	return answer(dh_mutex_unlock_at((pthread_mutex_t *)m, DH_CALLER()));
}

DH_EXPORT int cnd_init(cnd_t *c)
{
	if (dh_scheduled(dh_self))
		dh_object_destroy(c);
	return dh_real()->cnd_init(c);
}

DH_EXPORT void cnd_destroy(cnd_t *c)
{
	if (dh_scheduled(dh_self))
		dh_object_destroy(c);
	dh_real()->cnd_destroy(c);
}

DH_EXPORT int cnd_wait(cnd_t *c, mtx_t *m)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->cnd_wait(c, m);
	return answer(
		dh_cond_wait_at((pthread_cond_t *)c, (pthread_mutex_t *)m, DH_CALLER(), DH_NEVER));
}

DH_EXPORT int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->cnd_timedwait(c, m, until);
	return answer(dh_cond_wait_at((pthread_cond_t *)c, (pthread_mutex_t *)m, DH_CALLER(),
		dh_clock_deadline(until, CLOCK_REALTIME)));
}

DH_EXPORT int cnd_signal(cnd_t *c)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->cnd_signal(c);
	dh_cond_wake_at((pthread_cond_t *)c, false, DH_CALLER());
	return thrd_success;
}

DH_EXPORT int cnd_broadcast(cnd_t *c)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->cnd_broadcast(c);
	dh_cond_wake_at((pthread_cond_t *)c, true, DH_CALLER());
	return thrd_success;
}

DH_EXPORT void call_once(once_flag *flag, void (*routine)(void))
{
	if (!dh_scheduled(dh_self))
		dh_real()->call_once(flag, routine);
	else
		dh_once_at((pthread_once_t *)flag, routine, DH_CALLER());
}
