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
	const struct dh_next before = self->interrupted, next = self->next;
	uint64_t mask = self->sigmask;
	int keep = errno;

	self->restart = program[sig].sa_flags & SA_RESTART;
	self->accepting = false;
	self->interrupted = next;
	dh_ctl->result.handlers += !self->delivered.own;
	dh_detect_handler_enter(&self->thread, sig, self->delivered.from, self->delivered.own);
	self->thread.inside = 0;
	call(sig, info, context);
	self->thread.inside = inside;
	dh_detect_handler_leave(&self->thread);
	self->interrupted = before;
	self->next = next;
	self->sigmask = mask;
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
		self->pending[self->npending++] = (struct dh_pending){.info = *info};
	__atomic_store_n(&dh_core.signalled, true, __ATOMIC_RELEASE);
}

void dh_signal_deliver(struct dh_task *self)
{
	while (self->npending > 0 && !self->accepting) {
		siginfo_t *info = &self->delivered.info;

		self->delivered = self->pending[0];
		self->npending--;
		for (uint32_t i = 0; i < self->npending; i++)
			self->pending[i] = self->pending[i + 1];
		/* The kernel knows the masks; a signal that is held back stays with it. */
		self->accepting = true;
		rt_syscall4(SYS_rt_tgsigqueueinfo, rt_getpid(), self->tid, info->si_signo, info);
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

static bool blocks(const struct dh_task *t, int sig)
{
	return t->sigmask >> (sig - 1) & 1;
}

/* A handler came or went. */
static void tell_detector(int sig)
{
	if (!has_handler(sig)) {
		dh_detect_signal_off(dh_self, sig);
		return;
	}
	dh_core.handlers = true;
	dh_detect_signal_sent(dh_self, sig);
	for (uint32_t i = 0; i < dh_core.all.count; i++) {
		struct dh_task *t = dh_core.all.at[i];

		if (t->state != DH_TASK_ENDED && blocks(t, sig))
			dh_detect_signal_masked(&t->thread, sig, true);
	}
}

void dh_signal_task_started(struct dh_task *self)
{
	for (int sig = 1; sig < SIGNALS; sig++)
		if (blocks(self, sig) && has_handler(sig))
			dh_detect_signal_masked(&self->thread, sig, true);
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
		tell_detector(sig);
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
	struct dh_task *self = dh_task_of(dh_self);
	uint64_t mask = 0, changed;

	if (!dh_self)
		return;
	rt_syscall4(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &mask, sizeof(mask));
	changed = self->sigmask ^ mask;
	self->sigmask = mask;
	for (int sig = 1; sig < SIGNALS && changed; sig++, changed >>= 1)
		if (changed & 1 && has_handler(sig))
			dh_detect_signal_masked(dh_self, sig, blocks(self, sig));
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

static void post(struct dh_task *t, const siginfo_t *info, uintptr_t from)
{
	bool own = from && t == dh_task_of(dh_self);

	if (from && !own)
		dh_detect_signal_sent(dh_self, info->si_signo);
	if (t->npending < DH_PENDING_MAX)
		t->pending[t->npending++] = (struct dh_pending){*info, from, own};
	/* Its next access is a point, behind which the handler runs. */
	t->thread.budget = 0;
	dh_wake(t, DH_WAKE_SIGNAL);
	/* One that is held back may be interrupted there by this one, or by several at once. */
	if (t->state == DH_TASK_POSTPONED && dh_random() >> 63)
		dh_task_set_state(t, DH_TASK_READY);
}

static siginfo_t info_of(int sig, int code)
{
	siginfo_t info = {.si_signo = sig, .si_code = code};

	info.si_pid = (pid_t)rt_getpid();
	return info;
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
	post(t, (siginfo_t[]){info_of(sig, SI_TKILL)}, DH_CALLER());
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
	post(self, (siginfo_t[]){info_of(sig, SI_TKILL)}, DH_CALLER());
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
	post(t, (siginfo_t[]){info_of(sig, SI_USER)}, DH_CALLER());
	if (t == self)
		dh_signal_deliver(t);
	return 0;
}

/* Those that wait for a signal itself look again. */
static void wake_waiters(void)
{
	for (uint32_t i = 0; i < dh_core.all.count; i++)
		if (dh_core.all.at[i]->block_flags & DH_BLOCK_SIGWAIT)
			dh_wake(dh_core.all.at[i], DH_WAKE_EVENT);
}

void dh_signal_send(struct dh_task *self, struct dh_task *to, int sig, union sigval value)
{
	siginfo_t info = {.si_signo = sig, .si_code = SI_TIMER};
	bool directed = to != NULL;

	info.si_value = value;
	if (has_handler(sig) && !directed)
		to = receiver(self, sig);
	if (has_handler(sig) && to && to->state != DH_TASK_OUTSIDE && !blocks(to, sig)) {
		post(to, &info, 0);
		return;
	}
	/* The kernel keeps it, takes it to a thread that is outside, or ends the process. */
	info.si_code = SI_QUEUE;
	if (directed)
		rt_syscall4(SYS_rt_tgsigqueueinfo, rt_getpid(), to->tid, sig, &info);
	else
		rt_syscall3(SYS_rt_sigqueueinfo, rt_getpid(), sig, &info);
	wake_waiters();
}

/* -- waiting for signals is waiting for something outside, unless a timer will send one */

/* Until a handler has run. */
static void await_handler(uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_next next = {.op = DH_OP_SIGNAL, .pc = pc};

	self->thread.inside++;
	while (dh_block(self, &next, DH_NEVER, DH_BLOCK_CANCEL | DH_BLOCK_SIGNAL) != DH_WAKE_SIGNAL)
		dh_cancel_point(self);
	self->thread.inside--;
}

DH_EXPORT int pause(void)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pause();
	if (dh_core.timers_set > 0) {
		await_handler(DH_CALLER());
		errno = EINTR;
		return -1;
	}
	DH_OUTSIDE();
	return dh_real()->pause();
}

DH_EXPORT int sigsuspend(const sigset_t *mask)
{
	sigset_t old;

	if (!dh_scheduled(dh_self))
		return dh_real()->sigsuspend(mask);
	if (dh_core.timers_set > 0) {
		pthread_sigmask(SIG_SETMASK, mask, &old);
		await_handler(DH_CALLER());
		pthread_sigmask(SIG_SETMASK, &old, NULL);
		errno = EINTR;
		return -1;
	}
	DH_OUTSIDE();
	return dh_real()->sigsuspend(mask);
}

/* True: it may be there now; false: time is over, or a handler ran. */
static bool await_signal(uint64_t deadline, uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_next next = {.op = DH_OP_SIGNAL, .pc = pc};
	enum dh_wake why;

	self->thread.inside++;
	why = dh_block(self, &next, deadline, DH_BLOCK_CANCEL | DH_BLOCK_SIGNAL | DH_BLOCK_SIGWAIT);
	self->block_flags = 0;
	dh_cancel_point(self);
	self->thread.inside--;
	if (why == DH_WAKE_EVENT)
		return true;
	errno = why == DH_WAKE_TIMEOUT ? EAGAIN : EINTR;
	return false;
}

/* The signal, or -1. */
static int wait_for(const sigset_t *set, siginfo_t *info, uint64_t deadline, uintptr_t pc)
{
	static const struct timespec at_once;
	int sig;

	do
		sig = dh_real()->sigtimedwait(set, info, &at_once);
	while (sig < 0 && errno == EAGAIN && await_signal(deadline, pc));
	return sig;
}

DH_EXPORT int sigwait(const sigset_t *restrict set, int *restrict sig)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->sigwait(set, sig);
	if (dh_core.timers_set > 0) {
		do
			*sig = wait_for(set, NULL, DH_NEVER, DH_CALLER());
		while (*sig < 0 && errno == EINTR);
		return *sig < 0 ? errno : 0;
	}
	DH_OUTSIDE();
	return dh_real()->sigwait(set, sig);
}

DH_EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->sigwaitinfo(set, info);
	if (dh_core.timers_set > 0)
		return wait_for(set, info, DH_NEVER, DH_CALLER());
	DH_OUTSIDE();
	return dh_real()->sigwaitinfo(set, info);
}

DH_EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
	const struct timespec *restrict timeout)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->sigtimedwait(set, info, timeout);
	if (dh_core.timers_set > 0)
		return wait_for(
			set, info, timeout ? dh_clock_after(timeout) : DH_NEVER, DH_CALLER());
	DH_OUTSIDE();
	return dh_real()->sigtimedwait(set, info, timeout);
}
