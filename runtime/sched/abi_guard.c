/* Initialisation of static variables inside of functions (C++): the guards, with waiting that the
 * scheduler sees.  Byte 0 says that it is done; the compiler reads it in front of the call. */
#include "sched/core.h"
#include "sched/detect.h"
#include "sched/next.h"
#include "sched/sync.h"

int __cxa_guard_acquire(char *guard);
void __cxa_guard_release(char *guard);
void __cxa_guard_abort(char *guard);

static int acquire(struct dh_task *self, volatile char *guard, uintptr_t pc)
{
	struct dh_object *obj = dh_object_get(guard, DH_OBJECT_ONCE);
	struct dh_next next = {.op = DH_OP_ONCE, .obj = obj, .pc = pc, .write = true};

	while (!*guard && obj->owner) {
		dh_object_wait(obj, self);
		dh_block(self, &next, DH_NEVER, 0);
		dh_object_unwait(obj, self);
	}
	dh_detect_receive(&self->thread, obj);
	if (*guard)
		return 0;
	obj->owner = &self->thread;
	obj->acquired_pc = pc;
	return 1;
}

DH_EXPORT int __cxa_guard_acquire(char *guard)
{
	uintptr_t pc = DH_CALLER();
	int (*next)(char *), r;

	if (!dh_scheduled(dh_self)) {
		next = dh_next("__cxa_guard_acquire");
		return next ? next(guard) : !*guard;
	}
	dh_sched_point(DH_OP_ONCE, dh_object_get(guard, DH_OBJECT_ONCE), pc);
	dh_self->inside++;
	r = acquire(dh_task_of(dh_self), guard, pc);
	dh_self->inside--;
	return r;
}

static void leave(char *guard, bool done, const char *name)
{
	void (*next)(char *);
	struct dh_object *obj;

	if (!dh_scheduled(dh_self)) {
		next = dh_next(name);
		if (next)
			next(guard);
		else
			*guard = done;
		return;
	}
	obj = dh_object_get(guard, DH_OBJECT_ONCE);
	dh_detect_send(dh_self, obj);
	if (dh_detecting) /* for those who read the byte themselves */
		dh_sync_store(dh_actor_of(dh_self), (uintptr_t)guard, true);
	*guard = done;
	obj->owner = NULL;
	dh_object_wake_all(obj);
}

DH_EXPORT void __cxa_guard_release(char *guard)
{
	leave(guard, true, "__cxa_guard_release");
}

DH_EXPORT void __cxa_guard_abort(char *guard)
{
	leave(guard, false, "__cxa_guard_abort");
}
