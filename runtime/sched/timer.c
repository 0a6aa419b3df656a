/* Timers of the program that raise signals run in real time: what they do cannot be repeated, and a
 * thread that waits may be woken by one. */
#include "sched/core.h"
#include "sched/real.h"

static void note(void)
{
	if (!dh_scheduled(dh_self))
		return;
	dh_core.timers = true;
	dh_ctl->result.outside++;
}

DH_EXPORT unsigned alarm(unsigned seconds)
{
	note();
	return dh_real()->alarm(seconds);
}

DH_EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict new,
	struct itimerval *restrict old)
{
	note();
	return dh_real()->setitimer(which, new, old);
}

DH_EXPORT int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict new,
	struct itimerspec *restrict old)
{
	note();
	return dh_real()->timer_settime(timer, flags, new, old);
}
