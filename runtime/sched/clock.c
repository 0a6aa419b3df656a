/* Time.  Logical clocks start at a time that the host chose and go on by what threads do and by
 * what they sleep, so that a run sees the same times whenever it is repeated. */
#include <errno.h>
#include <time.h>

#include "common/syscall.h"
#include "sched/core.h"
#include "sched/real.h"

#define SECOND 1000000000ull
/* What clocks that do not count from 1970 say at the start of a run. */
#define UPTIME (1000 * SECOND)
/* A thread that asks for the time again and again waits for it to pass: it passes faster then. */
#define STEP_MIN    1000ull
#define STEP_MAX    1000000ull
#define ASKED_OFTEN 8

static struct {
	uint32_t asked_by; /* id + 1 */
	uint32_t asked;
	uint64_t points;
	uint64_t step;
} clocks;

static bool real_time(void)
{
	return dh_ctl->ask.flags & DH_ASK_REAL_TIME;
}

static bool is_calendar(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ||
	       clock == CLOCK_REALTIME_ALARM;
}

static uint64_t start_of(clockid_t clock)
{
	return is_calendar(clock) ? dh_ctl->ask.time * SECOND : UPTIME;
}

static uint64_t nanoseconds(const struct timespec *t)
{
	if (t->tv_sec < 0)
		return 0;
	if ((uint64_t)t->tv_sec > DH_NEVER / SECOND - 2)
		return DH_NEVER - 1;
	return (uint64_t)t->tv_sec * SECOND + (uint64_t)t->tv_nsec;
}

static uint64_t after(uint64_t duration)
{
	uint64_t until = dh_core.now + duration;

	return until < dh_core.now ? DH_NEVER - 1 : until;
}

uint64_t dh_clock_duration(const struct timespec *duration)
{
	return nanoseconds(duration);
}

uint64_t dh_clock_after(const struct timespec *duration)
{
	return after(nanoseconds(duration));
}

uint64_t dh_clock_deadline(const struct timespec *absolute, clockid_t clock)
{
	uint64_t until = nanoseconds(absolute), start = start_of(clock);

	if (real_time()) {
		struct timespec now;

		rt_syscall2(SYS_clock_gettime, clock, &now);
		start = nanoseconds(&now);
		return until > start ? after(until - start) : dh_core.now;
	}
	return until > start + dh_core.now ? until - start : dh_core.now;
}

/* The time passes by being asked for. */
static void ask(uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	bool again = clocks.asked_by == self->thread.id + 1 && clocks.points == dh_core.points;

	clocks.asked = again ? clocks.asked + 1 : 1;
	clocks.step = again && clocks.step < STEP_MAX ? clocks.step * 2 : STEP_MIN;
	clocks.asked_by = self->thread.id + 1;
	dh_core.now += clocks.step;
	if (clocks.asked > ASKED_OFTEN) {
		self->thread.inside++;
		dh_spin(self, pc, DH_OP_TIME);
		self->thread.inside--;
		/* Whoever waits for time to pass gets what it waits for. */
		dh_core.idle = 0;
		dh_sched_point(DH_OP_TIME, NULL, pc);
	}
	clocks.points = dh_core.points;
}

static uint64_t now_of(clockid_t clock)
{
	if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID)
		return dh_core.now;
	return start_of(clock) + dh_core.now;
}

static bool logical(void)
{
	return dh_scheduled(dh_self) && !real_time();
}

DH_EXPORT int clock_gettime(clockid_t clock, struct timespec *ret)
{
	uint64_t now;

	if (!logical() || clock < 0 || clock > CLOCK_TAI)
		return dh_real()->clock_gettime(clock, ret);
	ask(DH_CALLER());
	now = now_of(clock);
	*ret = (struct timespec){(time_t)(now / SECOND), (long)(now % SECOND)};
	return 0;
}

DH_EXPORT int gettimeofday(struct timeval *restrict ret, void *restrict zone)
{
	uint64_t now;

	if (!logical() || zone)
		return dh_real()->gettimeofday(ret, zone);
	ask(DH_CALLER());
	now = now_of(CLOCK_REALTIME);
	*ret = (struct timeval){(time_t)(now / SECOND), (suseconds_t)(now % SECOND / 1000)};
	return 0;
}

DH_EXPORT time_t time(time_t *ret)
{
	time_t now;

	if (!logical())
		return dh_real()->time(ret);
	ask(DH_CALLER());
	now = (time_t)(now_of(CLOCK_REALTIME) / SECOND);
	if (ret)
		*ret = now;
	return now;
}

/* -- sleeping */

DH_EXPORT int sched_yield(void)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->sched_yield();
	dh_yield_at(DH_CALLER());
	return 0;
}

DH_EXPORT unsigned sleep(unsigned seconds)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->sleep(seconds);
	return dh_sleep_at(seconds * SECOND, DH_CALLER()) == 0 ? 0 : 1;
}

DH_EXPORT int usleep(useconds_t microseconds)
{
	int r;

	if (!dh_scheduled(dh_self))
		return dh_real()->usleep(microseconds);
	r = dh_sleep_at(microseconds * 1000ull, DH_CALLER());
	if (r != 0)
		errno = r;
	return r == 0 ? 0 : -1;
}

static bool valid(const struct timespec *t)
{
	return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < (long)SECOND;
}

DH_EXPORT int nanosleep(const struct timespec *duration, struct timespec *left)
{
	int r;

	if (!dh_scheduled(dh_self) || !valid(duration))
		return dh_real()->nanosleep(duration, left);
	r = dh_sleep_at(nanoseconds(duration), DH_CALLER());
	if (r == 0)
		return 0;
	if (left)
		*left = (struct timespec){0};
	errno = r;
	return -1;
}

DH_EXPORT int clock_nanosleep(
	clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
	uint64_t until;

	if (!dh_scheduled(dh_self) || !valid(t) || clock == CLOCK_THREAD_CPUTIME_ID)
		return dh_real()->clock_nanosleep(clock, flags, t, left);
	if (!(flags & TIMER_ABSTIME))
		return dh_sleep_at(nanoseconds(t), DH_CALLER());
	until = dh_clock_deadline(t, clock);
	return dh_sleep_at(until > dh_core.now ? until - dh_core.now : 0, DH_CALLER());
}
