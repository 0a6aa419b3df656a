/* Signals.  A handler of the program runs only on a thread that has the turn, and only behind a
 * scheduling point: what arrives at another time is kept and delivered then. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "common/syscall.h"
#include "sched/core.h"
#include "sched/detect.h"
#include "sched/real.h"

#define SIGNALS 65

/* What the program asked for; the kernel knows on_signal() in its place. */
static struct sigaction program[SIGNALS];
static bool known[SIGNALS];

static bool has_handler(int sig)
{
	return sig > 0 && sig < SIGNALS && known[sig] && program[sig].sa_handler != SIG_DFL &&
	       program[sig].sa_handler != SIG_IGN;
}

static void call(int sig, siginfo_t *info, void *context)
{
	if (program[sig].sa_flags & SA_SIGINFO)
		program[sig].sa_sigaction(sig, info, context);
	else
		program[sig].sa_handler(sig);
}

static void run_handler(struct dh_task *self, int sig, siginfo_t *info, void *context)
{
	uint32_t inside = self->thread.inside;
	int keep = errno;

	self->restart = program[sig].sa_flags & SA_RESTART;
	self->accepting = false;
	dh_detect_handler_enter(&self->thread, sig);
	self->thread.inside = 0;
	call(sig, info, context);
	self->thread.inside = inside;
	dh_detect_handler_leave(&self->thread);
	errno = keep;
}

/* Raised by the instruction that was being executed: it cannot wait. */
static bool is_fault(int sig, const siginfo_t *info)
{
	return dh_end_is_fatal(sig) && (info->si_code > 0 || sig == SIGABRT);
}

/* Touches nothing but this thread's own struct and one flag: it may not have the turn. */
static void on_signal(int sig, siginfo_t *info, void *context)
{
	struct dh_task *self = dh_task_of(dh_self);

	if (!dh_self || !dh_active || is_fault(sig, info)) {
		call(sig, info, context);
		return;
	}
	if (self->accepting) {
		run_handler(self, sig, info, context);
		return;
	}
	if (self->npending < DH_PENDING_MAX)
		self->pending[self->npending++] = *info;
	__atomic_store_n(&dh_core.signalled, true, __ATOMIC_RELEASE);
}

void dh_signal_deliver(struct dh_task *self)
{
	while (self->npending > 0 && !self->accepting) {
		siginfo_t info = self->pending[0];

		self->npending--;
		for (uint32_t i = 0; i < self->npending; i++)
			self->pending[i] = self->pending[i + 1];
		/* The kernel knows the masks; a signal that is held back stays with it. */
		self->accepting = true;
		rt_syscall4(SYS_rt_tgsigqueueinfo, rt_getpid(), self->tid, info.si_signo, &info);
		self->accepting = false;
	}
}

void dh_signal_look(void)
{
	if (dh_likely(!__atomic_load_n(&dh_core.signalled, __ATOMIC_ACQUIRE)))
		return;
	dh_core.signalled = false;
	for (uint32_t i = 0; i < dh_core.all.count; i++)
		if (dh_core.all.at[i]->npending > 0)
			dh_wake(dh_core.all.at[i], DH_WAKE_SIGNAL);
}

void dh_signal_start(void)
{
	struct sigaction now;

	for (int sig = 1; sig < SIGNALS; sig++) {
		if (known[sig] || dh_real()->sigaction(sig, NULL, &now) != 0)
			continue;
		program[sig] = now;
		if (now.sa_sigaction == dh_end_crash)
			program[sig].sa_handler = SIG_DFL;
		known[sig] = true;
	}
}

/* -- sigaction and its kin */

static void install(int sig, const struct sigaction *wanted)
{
	struct sigaction action = *wanted;

	if (wanted->sa_handler != SIG_DFL && wanted->sa_handler != SIG_IGN) {
		action.sa_sigaction = on_signal;
		action.sa_flags |= SA_SIGINFO;
	} else if (wanted->sa_handler == SIG_DFL && dh_end_is_fatal(sig)) {
		action.sa_sigaction = dh_end_crash;
		action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	}
	dh_real()->sigaction(sig, &action, NULL);
}

DH_EXPORT int sigaction(
	int sig, const struct sigaction *restrict act, struct sigaction *restrict old)
{
	struct sigaction before;

	if (!dh_scheduled(dh_self) || sig <= 0 || sig >= SIGNALS || sig == SIGKILL ||
		sig == SIGSTOP || !known[sig])
		return dh_real()->sigaction(sig, act, old);
	before = program[sig];
	if (act) {
		program[sig] = *act;
		install(sig, act);
	}
	if (old)
		*old = before;
	return 0;
}

DH_EXPORT sighandler_t signal(int sig, sighandler_t handler)
{
	struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;

	if (!dh_scheduled(dh_self))
		return dh_real()->signal(sig, handler);
	sigemptyset(&act.sa_mask);
	return sigaction(sig, &act, &old) == 0 ? old.sa_handler : SIG_ERR;
}

static void remember_mask(void)
{
	uint64_t mask = 0;

	if (!dh_self)
		return;
	rt_syscall4(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &mask, sizeof(mask));
	dh_task_of(dh_self)->sigmask = mask;
}

DH_EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	int r = dh_real()->pthread_sigmask(how, set, old);

	remember_mask();
	return r;
}

DH_EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	int r = dh_real()->sigprocmask(how, set, old);

	remember_mask();
	return r;
}

/* -- sending */

static void post(struct dh_task *t, int sig, int code)
{
	siginfo_t info = {.si_signo = sig, .si_code = code};

	info.si_pid = (pid_t)rt_getpid();
	if (t->npending < DH_PENDING_MAX)
		t->pending[t->npending++] = info;
	dh_wake(t, DH_WAKE_SIGNAL);
}

DH_EXPORT int pthread_kill(pthread_t handle, int sig)
{
	struct dh_task *t;

	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_kill(handle, sig);
	dh_sched_point(DH_OP_SIGNAL, NULL, DH_CALLER());
	t = dh_task_by_handle(handle);
	if (!t || t->state == DH_TASK_ENDED || t->state == DH_TASK_OUTSIDE || !has_handler(sig))
		return dh_real()->pthread_kill(handle, sig);
	post(t, sig, SI_TKILL);
	if (t == dh_task_of(dh_self))
		dh_signal_deliver(t);
	return 0;
}

DH_EXPORT int raise(int sig)
{
	struct dh_task *self = dh_task_of(dh_self);

	if (!dh_scheduled(dh_self) || !has_handler(sig))
		return dh_real()->raise(sig);
	dh_sched_point(DH_OP_SIGNAL, NULL, DH_CALLER());
	post(self, sig, SI_TKILL);
	dh_signal_deliver(self);
	return 0;
}

/* Any thread that does not hold the signal back may get it. */
static struct dh_task *receiver(struct dh_task *self, int sig)
{
	uint64_t bit = 1ull << (sig - 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < dh_core.all.count; i++) {
		struct dh_task *t = dh_core.all.at[i];

		/* One that waits for something real is interrupted by the kernel alone. */
		if (t->state == DH_TASK_OUTSIDE)
			return NULL;
		n += t->state != DH_TASK_ENDED && !(t->sigmask & bit);
	}
	if (n == 0)
		return NULL;
	n = dh_choose(self, n);
	for (uint32_t i = 0;; i++) {
		struct dh_task *t = dh_core.all.at[i];

		if (t->state != DH_TASK_ENDED && !(t->sigmask & bit) && n-- == 0)
			return t;
	}
}

DH_EXPORT int kill(pid_t pid, int sig)
{
	struct dh_task *self = dh_task_of(dh_self), *t = NULL;

	if (!dh_scheduled(dh_self))
		return dh_real()->kill(pid, sig);
	dh_sched_point(DH_OP_SIGNAL, NULL, DH_CALLER());
	if (pid == rt_getpid() && has_handler(sig))
		t = receiver(self, sig);
	if (!t)
		return dh_real()->kill(pid, sig);
	post(t, sig, SI_USER);
	if (t == self)
		dh_signal_deliver(t);
	return 0;
}

/* -- waiting for signals is waiting for something outside */

DH_EXPORT int pause(void)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pause();
	DH_OUTSIDE();
	return dh_real()->pause();
}

DH_EXPORT int sigsuspend(const sigset_t *mask)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->sigsuspend(mask);
	DH_OUTSIDE();
	return dh_real()->sigsuspend(mask);
}

DH_EXPORT int sigwait(const sigset_t *restrict set, int *restrict sig)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->sigwait(set, sig);
	DH_OUTSIDE();
	return dh_real()->sigwait(set, sig);
}

DH_EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->sigwaitinfo(set, info);
	DH_OUTSIDE();
	return dh_real()->sigwaitinfo(set, info);
}

DH_EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
	const struct timespec *restrict timeout)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->sigtimedwait(set, info, timeout);
	DH_OUTSIDE();
	return dh_real()->sigtimedwait(set, info, timeout);
}
