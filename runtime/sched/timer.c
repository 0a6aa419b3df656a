/* Timers of the program, in logical time: alarm(), setitimer(), timer_settime(), timerfd_settime().
 *
 * Like a sleeper, a timer that is due soon may go off at any point behind the one that set it; the
 * calm run lets them go off when they are due.  A signal is sent as if by the program itself; a
 * descriptor is made ready by setting the kernel's timer to now.  Timers that count processor time,
 * or that start threads in the C library, stay with the kernel: a thread that waits may be woken by
 * one. */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "common/syscall.h"
#include "sched/core.h"
#include "sched/detect.h"
#include "sched/real.h"

#define SECOND 1000000000ull
#define TIMERS 64

struct timer {
	bool used;
	uint64_t due; /* DH_NEVER: not set */
	uint64_t interval;
	bool early;         /* may go off at any point */
	int sig;            /* 0: none */
	struct dh_task *to; /* NULL: the process */
	bool is_fd;
	int fd;
	timer_t id;
	clockid_t clock;
	union sigval value;
};

/* The first one is that of alarm() and ITIMER_REAL. */
static struct timer timers[TIMERS];

static bool logical(void)
{
	return dh_scheduled(dh_self) && !(dh_ctl->ask.flags & DH_ASK_REAL_TIME);
}

/* The kernel's own timers: what they do cannot be repeated. */
static void note_real(void)
{
	if (!dh_scheduled(dh_self))
		return;
	dh_core.timers = true;
	dh_ctl->result.outside++;
}

void dh_timer_forked(void)
{
	for (uint32_t i = 0; i < TIMERS; i++)
		timers[i].due = DH_NEVER;
	dh_core.timers_set = 0;
}

/* -- going off */

uint64_t dh_timer_first(bool only_early, uint32_t *ret)
{
	uint64_t first = DH_NEVER;

	for (uint32_t i = 0; i < TIMERS && dh_core.timers_set > 0; i++) {
		const struct timer *t = &timers[i];

		if (!t->used || t->due >= first ||
			(only_early && !t->early && t->due > dh_core.now))
			continue;
		first = t->due;
		*ret = i;
	}
	return first;
}

static void set(struct timer *t, uint64_t due, uint64_t interval)
{
	dh_core.timers_set -= t->used && t->due != DH_NEVER;
	t->used = true;
	t->due = due;
	t->interval = interval;
	t->early = due != DH_NEVER && due <= dh_core.now + dh_ctl->ask.timeout_choice;
	dh_core.timers_set += due != DH_NEVER;
}

/* Readable from now on; the kernel needs a moment. */
static void make_ready(const struct timer *t)
{
	struct itimerspec now = {.it_value = {0, 1}};
	struct pollfd p = {t->fd, POLLIN, 0};
	struct timespec limit = {0, 100000000};

	rt_syscall4(SYS_timerfd_settime, t->fd, 0, &now, NULL);
	rt_syscall6(SYS_ppoll, &p, 1, &limit, 0, 0, 0);
	dh_core.io_dirty = true;
}

void dh_timer_fire(struct dh_task *self, uint32_t which)
{
	struct timer *t = &timers[which % TIMERS];

	if (!t->used || t->due == DH_NEVER)
		return;
	if (t->due > dh_core.now)
		dh_core.now = t->due;
	dh_log_event(self, DH_STEP_TIMER | which, DH_STEP_TIMEOUT, 0);
	set(t, t->interval ? dh_core.now + t->interval : DH_NEVER, t->interval);
	if (t->is_fd)
		make_ready(t);
	else if (t->sig)
		dh_signal_send(self, t->to, t->sig, t->value);
}

/* -- setting */

static uint64_t span(const struct timespec *t)
{
	return dh_clock_duration(t);
}

static struct timespec spec_of(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / SECOND), (long)(ns % SECOND)};
}

static uint64_t left(const struct timer *t)
{
	if (!t->used || t->due == DH_NEVER)
		return 0;
	return t->due > dh_core.now ? t->due - dh_core.now : 1;
}

static void tell(const struct timer *t, struct itimerspec *ret)
{
	if (!ret)
		return;
	ret->it_value = spec_of(left(t));
	ret->it_interval = spec_of(t->used ? t->interval : 0);
}

static bool valid(const struct timespec *t)
{
	return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < (long)SECOND;
}

static int set_spec(
	struct timer *t, bool absolute, const struct itimerspec *new, struct itimerspec *old)
{
	uint64_t after = span(&new->it_value);

	if (!valid(&new->it_value) || !valid(&new->it_interval)) {
		errno = EINVAL;
		return -1;
	}
	tell(t, old);
	if (after == 0)
		set(t, DH_NEVER, 0);
	else
		set(t,
			absolute ? dh_clock_deadline(&new->it_value, t->clock)
				 : dh_clock_after(&new->it_value),
			span(&new->it_interval));
	if (t->sig)
		dh_detect_signal_sent(dh_self, t->sig);
	return 0;
}

static struct timespec of_value(const struct timeval *v)
{
	return (struct timespec){v->tv_sec, v->tv_usec * 1000};
}

static struct timeval to_value(const struct timespec *t)
{
	return (struct timeval){t->tv_sec, (t->tv_nsec + 999) / 1000};
}

static int set_real(const struct itimerval *new, struct itimerval *old)
{
	struct itimerspec spec = {of_value(&new->it_interval), of_value(&new->it_value)}, before;

	timers[0].sig = SIGALRM;
	if (set_spec(&timers[0], false, &spec, &before) != 0)
		return -1;
	if (old)
		*old = (struct itimerval){
			to_value(&before.it_interval), to_value(&before.it_value)};
	return 0;
}

DH_EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict new,
	struct itimerval *restrict old)
{
	if (logical() && which == ITIMER_REAL && new)
		return set_real(new, old);
	note_real();
	return dh_real()->setitimer(which, new, old);
}

DH_EXPORT int getitimer(__itimer_which_t which, struct itimerval *ret)
{
	struct itimerspec now;

	if (!logical() || which != ITIMER_REAL)
		return dh_real()->getitimer(which, ret);
	tell(&timers[0], &now);
	*ret = (struct itimerval){to_value(&now.it_interval), to_value(&now.it_value)};
	return 0;
}

static uint64_t set_alarm(uint64_t us, uint64_t interval)
{
	struct itimerval new = {{(time_t)(interval / 1000000), (suseconds_t)(interval % 1000000)},
		{(time_t)(us / 1000000), (suseconds_t)(us % 1000000)}};
	struct itimerval old;

	set_real(&new, &old);
	return (uint64_t)old.it_value.tv_sec * 1000000 + (uint64_t)old.it_value.tv_usec;
}

DH_EXPORT unsigned alarm(unsigned seconds)
{
	if (!logical()) {
		note_real();
		return dh_real()->alarm(seconds);
	}
	return (unsigned)((set_alarm(seconds * 1000000ull, 0) + 999999) / 1000000);
}

DH_EXPORT useconds_t ualarm(useconds_t us, useconds_t interval)
{
	if (!logical()) {
		note_real();
		return dh_real()->ualarm(us, interval);
	}
	return (useconds_t)set_alarm(us, interval);
}

/* -- timers of POSIX: the kernel's gives the number, and is never set */

static struct timer *find(timer_t id)
{
	for (uint32_t i = 1; i < TIMERS; i++)
		if (timers[i].used && !timers[i].is_fd && timers[i].id == id)
			return &timers[i];
	return NULL;
}

static struct timer *find_fd(int fd)
{
	for (uint32_t i = 1; i < TIMERS; i++)
		if (timers[i].used && timers[i].is_fd && timers[i].fd == fd)
			return &timers[i];
	return NULL;
}

static struct timer *take(void)
{
	for (uint32_t i = 1; i < TIMERS; i++) {
		if (timers[i].used)
			continue;
		timers[i] = (struct timer){.used = true, .due = DH_NEVER};
		return &timers[i];
	}
	return NULL;
}

static void drop(struct timer *t)
{
	set(t, DH_NEVER, 0);
	t->used = false;
}

static bool counts_wall_time(clockid_t clock)
{
	return clock >= 0 && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID;
}

static struct dh_task *by_tid(int32_t tid)
{
	for (uint32_t i = 0; i < dh_core.all.count; i++)
		if (dh_core.all.at[i]->tid == tid && dh_core.all.at[i]->state != DH_TASK_ENDED)
			return dh_core.all.at[i];
	return NULL;
}

DH_EXPORT int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict ret)
{
	int r = dh_real()->timer_create(clock, event, ret);
	struct timer *t;

	if (r != 0 || !logical() || !counts_wall_time(clock) ||
		(event && event->sigev_notify == SIGEV_THREAD))
		return r;
	t = take();
	if (!t)
		return 0;
	t->id = *ret;
	t->clock = clock;
	t->sig = !event ? SIGALRM : event->sigev_notify == SIGEV_NONE ? 0 : event->sigev_signo;
	t->value.sival_ptr = event ? event->sigev_value.sival_ptr : *ret;
	if (event && event->sigev_notify == SIGEV_THREAD_ID)
		t->to = by_tid(event->_sigev_un._tid);
	return 0;
}

DH_EXPORT int timer_settime(timer_t id, int flags, const struct itimerspec *restrict new,
	struct itimerspec *restrict old)
{
	struct timer *t = logical() ? find(id) : NULL;

	if (t && new)
		return set_spec(t, flags & TIMER_ABSTIME, new, old);
	note_real();
	return dh_real()->timer_settime(id, flags, new, old);
}

DH_EXPORT int timer_gettime(timer_t id, struct itimerspec *ret)
{
	struct timer *t = logical() ? find(id) : NULL;

	if (!t)
		return dh_real()->timer_gettime(id, ret);
	tell(t, ret);
	return 0;
}

DH_EXPORT int timer_delete(timer_t id)
{
	struct timer *t = logical() ? find(id) : NULL;

	if (t)
		drop(t);
	return dh_real()->timer_delete(id);
}

DH_EXPORT int timerfd_create(int clock, int flags)
{
	int fd = dh_real()->timerfd_create(clock, flags);
	struct timer *t = fd >= 0 && logical() ? take() : NULL;

	if (t) {
		t->is_fd = true;
		t->fd = fd;
		t->clock = clock;
	}
	return fd;
}

DH_EXPORT int timerfd_settime(
	int fd, int flags, const struct itimerspec *new, struct itimerspec *old)
{
	static const struct itimerspec never;
	struct timer *t = logical() && new ? find_fd(fd) : NULL;

	if (!t) {
		note_real();
		return dh_real()->timerfd_settime(fd, flags, new, old);
	}
	/* What was ready from an earlier time is so no more. */
	dh_real()->timerfd_settime(fd, 0, &never, NULL);
	return set_spec(t, flags & TFD_TIMER_ABSTIME, new, old);
}

DH_EXPORT int timerfd_gettime(int fd, struct itimerspec *ret)
{
	struct timer *t = logical() ? find_fd(fd) : NULL;

	if (!t)
		return dh_real()->timerfd_gettime(fd, ret);
	tell(t, ret);
	return 0;
}

void dh_timer_closed(int fd)
{
	struct timer *t = find_fd(fd);

	if (t)
		drop(t);
}
