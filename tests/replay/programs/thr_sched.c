/* Scheduling classes and priorities, as far as the user may. */
#include "t.h"

int main(void)
{
	struct sched_param sp = {0};
	struct timespec ts = {0, 0};
	int r, before = getpriority(PRIO_PROCESS, 0);

	say("policy %d, fifo %d..%d\n", sched_getscheduler(0), sched_get_priority_min(SCHED_FIFO),
		sched_get_priority_max(SCHED_FIFO));
	TRY(sched_setscheduler(0, SCHED_BATCH, &sp));
	CHECK(sched_getscheduler(0) == SCHED_BATCH);
	TRY(sched_getparam(0, &sp));
	sp.sched_priority = 1;
	r = sched_setscheduler(0, SCHED_FIFO, &sp);
	say("fifo: %d %d\n", r, r ? errno : 0);
	sp.sched_priority = 0;
	TRY(sched_setscheduler(0, SCHED_OTHER, &sp));
	errno = 0;
	say("nice %d\n", nice(3));
	CHECK(getpriority(PRIO_PROCESS, 0) == (before + 3 < 19 ? before + 3 : 19));
	TRY(setpriority(PRIO_PROCESS, 0, before + 5));
	TRY(sched_rr_get_interval(0, &ts));
	say("priority %d interval %ld at %lu\n", getpriority(PRIO_PROCESS, 0), ts.tv_nsec,
		t_now_ns());
	return 0;
}
