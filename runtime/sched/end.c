/* How a run ends, and what is told about it. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "common/mem.h"
#include "common/syscall.h"
#include "common/text.h"
#include "deadheat.h"
#include "sched/core.h"
#include "sched/detect.h"
#include "sched/real.h"

#define ALTSTACK     (64u << 10)
#define OVERFLOW_GAP (1u << 16)

static bool ended;

/* The first end counts: what happens while the process goes down is a consequence. */
static bool claim(void)
{
	return !__atomic_exchange_n(&ended, true, __ATOMIC_ACQ_REL) &&
	       dh_ctl->outcome.end == DH_END_NONE;
}

static void fill(
	enum dh_sched_end end, int status, uintptr_t pc, uint64_t address, const char *text)
{
	struct dh_sched_outcome *o = &dh_ctl->outcome;
	struct dh_task *self = dh_self ? dh_task_of(dh_self) : dh_core.running;

	o->status = status;
	o->pc = pc;
	o->address = address;
	if (self) {
		o->thread = self->thread.id;
		o->stack.thread = self->thread.id;
		o->stack.count =
			dh_detect_stack(&self->thread, pc, o->stack.pc, DH_SCHED_FRAMES_MAX);
	}
	rt_text_copy(o->text, sizeof(o->text), text);
	end = dh_detect_end(end);
	__atomic_store_n(&o->end, end, __ATOMIC_RELEASE);
}

static _Noreturn void leave(void)
{
	/* Natively this child would never end, and the parent wait for it: the end is the run's. */
	if (dh_ctl_of_run && dh_ctl_of_run->server_in >= 0) {
		if (dh_ctl_of_run->outcome.end == DH_END_NONE)
			dh_ctl_of_run->outcome = dh_ctl->outcome;
		rt_syscall2(SYS_kill, 0, SIGKILL);
	}
	for (;;)
		rt_syscall1(SYS_exit_group, DH_SCHED_EXIT);
}

void dh_sched_stop(
	enum dh_sched_end end, uintptr_t pc, const volatile void *address, const char *text)
{
	if (claim())
		fill(end, 0, pc, (uint64_t)(uintptr_t)address, text);
	leave();
}

/* -- threads that wait for each other */

static struct dh_thread *first_writer(const struct dh_object *obj)
{
	for (struct dh_task *t = obj->first_waiter; t; t = t->next_waiter)
		if (t->next.op == DH_OP_WRLOCK && t->state == DH_TASK_BLOCKED)
			return &t->thread;
	return NULL;
}

static struct dh_thread *holder(const struct dh_task *t)
{
	const struct dh_object *obj = t->blocked_on;

	if (t->joining)
		return &t->joining->thread;
	if (!obj || t->state != DH_TASK_BLOCKED)
		return NULL;
	/* A reader that waits although nobody writes lets a writer go first. */
	if (obj->kind == DH_OBJECT_RWLOCK && !obj->owner && t->next.op == DH_OP_RDLOCK)
		return first_writer(obj);
	if (obj->kind == DH_OBJECT_RWLOCK && !obj->owner && obj->readers == 1)
		return (struct dh_thread *)obj->reader_xor;
	return obj->owner;
}

static void add_waiter(const struct dh_task *t, bool in_cycle)
{
	struct dh_sched_outcome *o = &dh_ctl->outcome;
	struct dh_thread *owner = holder(t);
	struct dh_sched_waiter *w;

	if (o->nwaiters >= DH_SCHED_WAITERS_MAX)
		return;
	w = &o->waiter[o->nwaiters++];
	*w = (struct dh_sched_waiter){
		.thread = t->thread.id,
		.owner = owner ? owner->id : 0,
		.owned = owner != NULL,
		.op = (uint8_t)t->next.op,
		.in_cycle = in_cycle,
		.pc = t->next.pc,
	};
	if (t->blocked_on) {
		w->object = t->blocked_on->id;
		w->address = t->blocked_on->address;
		w->acquired_pc = owner ? t->blocked_on->acquired_pc : 0;
	}
	w->stack.thread = t->thread.id;
	w->stack.count = dh_detect_stack(&t->thread, t->next.pc, w->stack.pc, DH_SCHED_FRAMES_MAX);
}

/* Does the chain of holders lead from t back to it? */
static bool in_cycle(struct dh_task *start)
{
	struct dh_thread *at = holder(start);
	uint32_t n = 0;

	while (at && n++ <= dh_core.all.count) {
		struct dh_task *t = dh_task_of(at);

		if (t == start)
			return true;
		/* Somebody whose patience has a limit will go on. */
		if (t->deadline != DH_NEVER)
			return false;
		at = holder(t);
	}
	return false;
}

static bool waits(const struct dh_task *t)
{
	return t->state == DH_TASK_BLOCKED;
}

static _Noreturn void stop_waiting(enum dh_sched_end end, const char *text)
{
	struct dh_task *first = NULL;

	if (claim()) {
		for (uint32_t pass = 0; pass < 2; pass++) {
			for (uint32_t i = 0; i < dh_core.all.count; i++) {
				struct dh_task *t = dh_core.all.at[i];

				if (!waits(t) || in_cycle(t) != (pass == 0))
					continue;
				add_waiter(t, pass == 0);
				first = first ? first : t;
			}
		}
		fill(end, 0, first ? first->next.pc : 0,
			first && first->blocked_on ? first->blocked_on->address : 0, text);
	}
	leave();
}

void dh_end_check_cycle(struct dh_task *self)
{
	if (in_cycle(self))
		stop_waiting(DH_END_DEADLOCK, "threads wait for each other in a cycle");
}

void dh_end_stuck(void)
{
	stop_waiting(DH_END_STUCK, "every thread waits, and nobody is left to wake one");
}

void dh_end_limit(void)
{
	bool used_up = dh_core.points - dh_core.spun > dh_ctl->ask.limit;

	/* What comes from outside could still have moved the program on. */
	if (dh_core.io.count + dh_core.outside.count > 0)
		dh_end_give_up(
			"the limit of logical time is used up while a thread waits for input");
	dh_sched_stop(DH_END_LIVELOCK, dh_core.running ? dh_core.running->next.pc : 0, NULL,
		used_up ? "the limit of logical time is used up"
			: "threads only wait in loops for something that nobody will do");
}

void dh_end_give_up(const char *why)
{
	dh_sched_stop(DH_END_GIVEN_UP, 0, NULL, why);
}

/* -- signals that kill */

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

bool dh_end_is_fatal(int sig)
{
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		if (fatal[i] == sig)
			return true;
	return false;
}

static bool overflows(int sig, const siginfo_t *info)
{
	struct dh_thread *self = dh_self;
	uintptr_t at = (uintptr_t)info->si_addr, low;

	if (sig != SIGSEGV || info->si_code <= 0 || !self)
		return false;
	low = (uintptr_t)self->stack_low;
	/* The main thread's stack may end a little earlier: the environment is above it. */
	return at >= low - OVERFLOW_GAP && at < low + (self->id == 0 ? 1u << 20 : OVERFLOW_GAP);
}

void dh_end_crash(int sig, siginfo_t *info, void *context)
{
	ucontext_t *u = context;
	uintptr_t pc = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
	bool is_fault = sig != SIGABRT && info->si_code > 0;
	bool overflow = overflows(sig, info);
	struct sigaction standard = {.sa_handler = SIG_DFL};

	if (dh_self && dh_task_of(dh_self)->probing)
		pc = dh_task_of(dh_self)->probing;
	if (dh_self)
		dh_self->inside++;
	if (dh_active && claim())
		fill(overflow ? DH_END_OVERFLOW : DH_END_SIGNAL, sig, pc,
			is_fault ? (uint64_t)(uintptr_t)info->si_addr : 0,
			overflow ? "a stack is used up" : NULL);
	else if (dh_active)
		dh_ctl->outcome.status = sig;
	dh_real()->sigaction(sig, &standard, NULL);
	rt_syscall3(SYS_tgkill, rt_getpid(), rt_gettid(), sig);
}

void dh_end_start(void)
{
	struct sigaction action = {
		.sa_sigaction = dh_end_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	struct sigaction now;

	ended = false;
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++) {
		dh_real()->sigaction(fatal[i], NULL, &now);
		if (now.sa_handler == SIG_DFL)
			dh_real()->sigaction(fatal[i], &action, NULL);
	}
}

/* A stack for handlers, so that the end of the ordinary one can be told. */
void dh_end_thread(struct dh_task *self)
{
	static char *of_slot[DH_SCHED_THREADS_MAX];
	char **stack = &of_slot[self->thread.slot];
	stack_t ss = {.ss_size = ALTSTACK}, old;

	if (sigaltstack(NULL, &old) == 0 && !(old.ss_flags & SS_DISABLE))
		return;
	if (!*stack)
		*stack = rt_map(ALTSTACK);
	if (!*stack)
		return;
	ss.ss_sp = *stack;
	sigaltstack(&ss, NULL);
}

/* -- ends that the program itself announces */

DH_EXPORT void deadheat_fail(const char *file, int line, const char *what)
{
	struct rt_text t;
	char text[DH_SCHED_NAME_MAX * 2];

	if (!dh_active || !dh_self)
		return;
	rt_text_init(&t, text, sizeof(text));
	rt_text_add(&t, what);
	rt_text_add(&t, " (");
	rt_text_add(&t, file);
	rt_text_add(&t, ":");
	rt_text_add_number(&t, (uint64_t)line);
	rt_text_add(&t, ")");
	dh_sched_stop(DH_END_FAIL, DH_CALLER(), NULL, text);
}

/* The thread says that it has no lock now; part of the interface since clang 19. */
void __tsan_check_no_mutexes_held(void);
DH_EXPORT void __tsan_check_no_mutexes_held(void)
{
	if (dh_active && dh_self && dh_task_of(dh_self)->held)
		dh_sched_stop(DH_END_FAIL, DH_CALLER(), NULL,
			"a lock is held where the program says that none is");
}

DH_EXPORT void __assert_fail(
	const char *expression, const char *file, unsigned line, const char *function)
{
	struct rt_text t;
	char text[DH_SCHED_NAME_MAX * 2];

	if (dh_scheduled(dh_self) && claim()) {
		rt_text_init(&t, text, sizeof(text));
		rt_text_add(&t, file);
		rt_text_add(&t, ":");
		rt_text_add_number(&t, line);
		rt_text_add(&t, ": ");
		rt_text_add(&t, function);
		rt_text_add(&t, ": Assertion `");
		rt_text_add(&t, expression);
		rt_text_add(&t, "' failed.");
		fill(DH_END_ASSERT, SIGABRT, DH_CALLER(), 0, text);
	}
	dh_real()->__assert_fail(expression, file, line, function);
}

void dh_end_exit(int status)
{
	if (!dh_active || dh_fork_depth > 0 || !claim())
		return;
	dh_directed_look_for_modules();
	fill(DH_END_EXIT, status, 0, 0, NULL);
}

DH_EXPORT void _exit(int status)
{
	dh_end_exit(status);
	for (;;)
		dh_real()->_exit(status);
}

DH_EXPORT void _Exit(int status)
{
	dh_end_exit(status);
	for (;;)
		dh_real()->_exit(status);
}
