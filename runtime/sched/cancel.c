/* Cancellation: always deferred; a thread that asked for asynchronous cancellation has a
 * cancellation point behind each scheduling point. */
#include "sched/core.h"
#include "sched/real.h"

void dh_cancel_point(struct dh_task *self)
{
	uint32_t inside = self->thread.inside;

	if (dh_likely(!self->cancelled))
		return;
	/* What runs while the stack is unwound is the program's. */
	self->thread.inside = 0;
	dh_real()->pthread_testcancel();
	self->thread.inside = inside;
}

DH_EXPORT int pthread_cancel(pthread_t handle)
{
	struct dh_task *t;
	int r;

	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_cancel(handle);
	dh_sched_point(DH_OP_CANCEL, NULL, DH_CALLER());
	t = dh_task_by_handle(handle);
	r = dh_real()->pthread_cancel(handle);
	if (r != 0 || !t)
		return r;
	t->cancelled = true;
	if (t->block_flags & DH_BLOCK_CANCEL)
		dh_wake(t, DH_WAKE_CANCEL);
	return 0;
}

DH_EXPORT void pthread_testcancel(void)
{
	if (dh_scheduled(dh_self))
		dh_sched_point(DH_OP_CANCEL, NULL, DH_CALLER());
	dh_real()->pthread_testcancel();
}

DH_EXPORT int pthread_setcanceltype(int type, int *old)
{
	struct dh_task *self = dh_task_of(dh_self);
	bool was;

	if (!dh_scheduled(dh_self) ||
		(type != PTHREAD_CANCEL_ASYNCHRONOUS && type != PTHREAD_CANCEL_DEFERRED))
		return dh_real()->pthread_setcanceltype(type, old);
	was = self->async_cancel;
	self->async_cancel = type == PTHREAD_CANCEL_ASYNCHRONOUS;
	if (old)
		*old = was ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
	return 0;
}
