/* Handlers of signals, as the detector sees them.
 *
 * A handler that another thread or a timer caused could have come at any other point of the thread
 * that it interrupts, unless the signal is blocked there.  So it is an actor of its own.  It knows
 * what happened before the signal: the creation of its thread, the installation of the handler, all
 * that sent the signal.  Blocking a signal is a lock, which the thread holds while it does, and the
 * handler always.  What a handler did happened before the end of its thread, and before whatever
 * stands behind its removal. */
#include "sched/detect.h"
#include "sched/detector.h"

#define SIGNALS 65

static struct dh_vc sent[SIGNALS]; /* before any handler of the signal */
static struct dh_vc ran[SIGNALS];  /* all handlers of it so far */

void dh_handlers_reset(void)
{
	for (int i = 0; i < SIGNALS; i++) {
		dh_vc_release(&sent[i]);
		dh_vc_release(&ran[i]);
	}
}

static bool counts(int sig)
{
	return dh_detecting && sig > 0 && sig < SIGNALS;
}

/* The thread's own actor, also while a handler runs on it. */
static struct dh_actor *base_of(const struct dh_thread *self)
{
	struct dh_actor *a = dh_actor_of(self);

	return a->interrupted ? a->interrupted : a;
}

static uint32_t mask_lock(const struct dh_actor *base, int sig)
{
	return DH_LOCK_OF_SIGNAL | (base->thread << 6 & (DH_LOCK_OF_SIGNAL - 1)) |
	       (uint32_t)(sig - 1);
}

void dh_detect_signal_sent(struct dh_thread *self, int sig)
{
	if (counts(sig))
		dh_actor_send(dh_actor_of(self), &sent[sig]);
}

void dh_detect_signal_off(struct dh_thread *self, int sig)
{
	if (counts(sig))
		dh_actor_receive(dh_actor_of(self), &ran[sig]);
}

void dh_detect_signal_masked(struct dh_thread *t, int sig, bool on)
{
	struct dh_actor *a = dh_actor_of(t);
	bool held = false;

	if (!counts(sig) || !a || a->interrupted)
		return;
	for (uint32_t i = 0; i < a->nheld; i++)
		held |= a->held[i].lock == mask_lock(a, sig);
	if (held == on)
		return;
	if (on)
		dh_actor_hold(a, mask_lock(a, sig), false, 0);
	else
		dh_actor_let_go(a, mask_lock(a, sig), false);
	dh_actor_renew(a);
}

static struct dh_actor *handler_of(struct dh_actor *base)
{
	struct dh_actor *h = base->handler;

	if (h)
		return h;
	h = base->handler = dh_actor_new(NULL, base->thread | DH_IN_HANDLER);
	dh_vc_join(&h->vc, &base->born);
	h->interrupted = base;
	return h;
}

void dh_detect_handler_enter(struct dh_thread *self, int sig, uintptr_t from, bool own)
{
	struct dh_actor *base = base_of(self), *h;
	struct dh_handling *level = &base->level[base->nlevels % DH_HANDLERS_MAX];
	bool deep = base->nlevels++ >= DH_HANDLERS_MAX;

	if (deep)
		return;
	*level = (struct dh_handling){.top = base->frames->top,
		.sp = (uintptr_t)__builtin_frame_address(0),
		.before = dh_actor_of(self)};
	/* What a thread raises itself is a call. */
	if (own || !counts(sig))
		return;
	level->sig = sig;
	h = handler_of(base);
	h->from = from;
	dh_actor_receive(h, &sent[sig]);
	dh_actor_hold(h, mask_lock(base, sig), false, 0);
	level->before->cell = NULL;
	dh_actor_bind(h, self);
}

void dh_detect_handler_leave(struct dh_thread *self)
{
	struct dh_actor *base = base_of(self), *h = base->handler;
	const struct dh_handling *level;

	if (!base->nlevels || --base->nlevels >= DH_HANDLERS_MAX)
		return;
	level = &base->level[base->nlevels];
	base->frames->top = level->top;
	if (!level->sig || !dh_detecting)
		return;
	dh_actor_let_go(h, mask_lock(base, level->sig), false);
	dh_actor_send(h, &ran[level->sig]);
	h->cell = NULL;
	dh_actor_bind(level->before, self);
}

void dh_detect_jumped(struct dh_thread *self, uintptr_t sp)
{
	const struct dh_actor *base = self->detect ? base_of(self) : NULL;

	while (base && base->nlevels && base->nlevels <= DH_HANDLERS_MAX &&
		base->level[base->nlevels - 1].sp < sp)
		dh_detect_handler_leave(self);
}

void dh_handler_thread_ends(struct dh_thread *self)
{
	struct dh_actor *base = base_of(self);

	while (base->nlevels)
		dh_detect_handler_leave(self);
	if (base->handler)
		dh_actor_receive(base, &base->handler->vc);
}
