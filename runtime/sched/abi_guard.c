/* Initialisation of static variables inside of functions (C++): the guards, with waiting that the
 * scheduler sees.  Byte 0 says that it is done; the compiler reads it in front of the call. */
#include "sched/next.h"
#include "sched/sync.h"

enum { DONE = 0, BUSY = 1 };

static struct dh_thread *scheduled(void)
{
	return dh_self && !dh_self->inside ? dh_self : NULL;
}

int __cxa_guard_acquire(char *guard);
DH_EXPORT int __cxa_guard_acquire(char *guard)
{
	uintptr_t pc = DH_CALLER();
	struct dh_thread *self = scheduled();
	int (*next)(char *);

	if (!self) {
		next = dh_next("__cxa_guard_acquire");
		return next ? next(guard) : !guard[DONE];
	}
	dh_sched_point(DH_OP_ONCE, NULL, pc);
	while (!guard[DONE] && guard[BUSY])
		dh_sched_point(DH_OP_YIELD, NULL, pc);
	if (dh_detecting)
		dh_sync_load(dh_actor_of(self), (uintptr_t)guard, true);
	if (guard[DONE])
		return 0;
	guard[BUSY] = 1;
	return 1;
}

static void leave(char *guard, bool done, const char *name)
{
	struct dh_thread *self = scheduled();
	void (*next)(char *);

	if (!self) {
		next = dh_next(name);
		if (next)
			next(guard);
		else
			guard[DONE] = done;
		return;
	}
	if (dh_detecting)
		dh_sync_store(dh_actor_of(self), (uintptr_t)guard, true);
	guard[BUSY] = 0;
	guard[DONE] = done;
}

void __cxa_guard_release(char *guard);
DH_EXPORT void __cxa_guard_release(char *guard)
{
	leave(guard, true, "__cxa_guard_release");
}

void __cxa_guard_abort(char *guard);
DH_EXPORT void __cxa_guard_abort(char *guard)
{
	leave(guard, false, "__cxa_guard_abort");
}
