/* Fibers: threads of control that a program switches by itself inside one thread.  For the detector
 * each is an actor of its own; for the scheduler they are the thread that they run on. */
#include "sched/detector.h"
#include "sched/pool.h"

#define NO_SYNC 1u /* flag of __tsan_switch_to_fiber */

void *__tsan_get_current_fiber(void);
DH_EXPORT void *__tsan_get_current_fiber(void)
{
	return dh_self ? dh_actor_of(dh_self) : NULL;
}

void *__tsan_create_fiber(unsigned flags);
DH_EXPORT void *__tsan_create_fiber(unsigned flags)
{
	struct dh_actor *a;

	(void)flags;
	if (!dh_self)
		return NULL;
	a = dh_actor_new(dh_actor_of(dh_self), dh_self->id);
	dh_frames_attach(&a->parked);
	a->frames = &a->parked;
	return a;
}

void __tsan_destroy_fiber(void *fiber);
DH_EXPORT void __tsan_destroy_fiber(void *fiber)
{
	struct dh_actor *a = fiber;

	if (!a || !dh_self || a == dh_actor_of(dh_self))
		return;
	dh_frames_detach(&a->parked);
	dh_actor_free(a);
}

void __tsan_switch_to_fiber(void *fiber, unsigned flags);
DH_EXPORT void __tsan_switch_to_fiber(void *fiber, unsigned flags)
{
	struct dh_actor *to = fiber, *from;

	if (!to || !dh_self)
		return;
	from = dh_actor_of(dh_self);
	if (to == from)
		return;
	if (!(flags & NO_SYNC))
		dh_actor_send(from, &to->vc);
	from->parked = dh_frames;
	from->frames = &from->parked;
	from->cell = NULL;
	dh_frames = to->parked;
	to->thread = dh_self->id;
	dh_actor_bind(to, dh_self);
}

void __tsan_set_fiber_name(void *fiber, const char *name);
DH_EXPORT void __tsan_set_fiber_name(void *fiber, const char *name)
{
	(void)fiber;
	(void)name;
}
