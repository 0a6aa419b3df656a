/* Calls that may take any time and that only the kernel can end: the turn is given away meanwhile.
 * And the futex calls of programs that build locks of their own, which are the scheduler's. */
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>

#include "common/syscall.h"
#include "sched/core.h"
#include "sched/detect.h"
#include "sched/real.h"

/* -- children */

DH_EXPORT pid_t waitpid(pid_t pid, int *status, int options)
{
	if (!dh_scheduled(dh_self) || options & WNOHANG)
		return dh_real()->waitpid(pid, status, options);
	DH_OUTSIDE();
	return dh_real()->waitpid(pid, status, options);
}

DH_EXPORT pid_t wait(int *status)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->wait(status);
	DH_OUTSIDE();
	return dh_real()->wait(status);
}

DH_EXPORT pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	if (!dh_scheduled(dh_self) || options & WNOHANG)
		return dh_real()->wait4(pid, status, options, usage);
	DH_OUTSIDE();
	return dh_real()->wait4(pid, status, options, usage);
}

DH_EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	if (!dh_scheduled(dh_self) || options & WNOHANG)
		return dh_real()->waitid(type, id, info, options);
	DH_OUTSIDE();
	return dh_real()->waitid(type, id, info, options);
}

DH_EXPORT int system(const char *command)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->system(command);
	DH_OUTSIDE();
	return dh_real()->system(command);
}

/* -- futexes */

static long futex_wait(uint32_t *word, uint32_t value, uint64_t deadline, uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_object *obj = dh_object_get(word, DH_OBJECT_FUTEX);
	struct dh_next next = {.op = DH_OP_USER, .obj = obj, .pc = pc, .write = true};
	enum dh_wake why;

	dh_sched_point(DH_OP_USER, obj, pc);
	if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) {
		errno = EAGAIN;
		return -1;
	}
	obj = dh_object_get(word, DH_OBJECT_FUTEX);
	next.obj = obj;
	self->thread.inside++;
	dh_object_wait(obj, self);
	why = dh_block(self, &next, deadline, DH_BLOCK_SIGNAL);
	dh_object_unwait(obj, self);
	self->thread.inside--;
	if (why == DH_WAKE_EVENT)
		return 0;
	errno = why == DH_WAKE_TIMEOUT ? ETIMEDOUT : EINTR;
	return -1;
}

static long futex_wake(uint32_t *word, uint32_t count, uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_object *obj = dh_object_get(word, DH_OBJECT_FUTEX);
	uint32_t woken = 0;

	dh_sched_point(DH_OP_USER, obj, pc);
	obj = dh_object_get(word, DH_OBJECT_FUTEX);
	self->thread.inside++;
	for (struct dh_task *t = obj->first_waiter; t && woken < count; t = t->next_waiter) {
		if (t->state != DH_TASK_BLOCKED)
			continue;
		dh_detect_hand_over(&self->thread, &t->thread);
		dh_wake(t, DH_WAKE_EVENT);
		woken++;
	}
	self->thread.inside--;
	return woken;
}

static uint64_t futex_deadline(int op, const struct timespec *t)
{
	if (!t)
		return DH_NEVER;
	if ((op & FUTEX_CMD_MASK) == FUTEX_WAIT)
		return dh_clock_after(t);
	return dh_clock_deadline(t, op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC);
}

static long futex(const long *a, uintptr_t pc)
{
	uint32_t *word = (uint32_t *)a[0];
	int op = (int)a[1];

	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return futex_wait(word, (uint32_t)a[2],
			futex_deadline(op, (const struct timespec *)a[3]), pc);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		return futex_wake(word, (uint32_t)a[2], pc);
	default:
		break;
	}
	DH_OUTSIDE();
	return dh_real()->syscall(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
}

DH_EXPORT long syscall(long number, ...)
{
	long a[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_futex && dh_scheduled(dh_self))
		return futex(a, DH_CALLER());
	return dh_real()->syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
