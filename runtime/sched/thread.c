/* Threads: how they come, end, and are waited for. */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <sys/resource.h>

#include "common/mem.h"
#include "common/syscall.h"
#include "common/text.h"
#include "sched/core.h"
#include "sched/detect.h"
#include "sched/real.h"

static struct {
	pthread_key_t key; /* its destructor is the end of a thread */
	uint8_t slot_used[DH_SCHED_THREADS_MAX];
	uint32_t by_slot_end;
	/* Detached threads that gave up their last turn, but may still be in the C library. */
	int32_t leaving[64];
	uint32_t nleaving;
} threads;

struct dh_task *dh_task_by_id(uint32_t id)
{
	return id < dh_core.all.count ? dh_core.all.at[id] : NULL;
}

struct dh_thread *dh_thread_by_id(uint32_t id)
{
	struct dh_task *t = dh_task_by_id(id);

	return t ? &t->thread : NULL;
}

struct dh_thread *dh_thread_by_stack(const volatile void *address)
{
	uintptr_t at = (uintptr_t)address;

	for (uint32_t i = 0; i < dh_core.all.count; i++) {
		struct dh_thread *t = &dh_core.all.at[i]->thread;

		if (dh_core.all.at[i]->state != DH_TASK_ENDED && at >= (uintptr_t)t->stack_low &&
			at < (uintptr_t)t->stack_high)
			return t;
	}
	return NULL;
}

struct dh_task *dh_task_by_handle(pthread_t handle)
{
	for (uint32_t i = dh_core.all.count; i-- > 0;) {
		struct dh_task *t = dh_core.all.at[i];

		/* The C library gives handles out again when nobody can ask for the old one. */
		if (t->handle == handle && !t->joined &&
			!(t->detached && t->state == DH_TASK_ENDED))
			return t;
	}
	return NULL;
}

static uint32_t take_slot(void)
{
	for (uint32_t i = 0; i < DH_SCHED_THREADS_MAX; i++) {
		if (!threads.slot_used[i]) {
			threads.slot_used[i] = 1;
			return i;
		}
	}
	dh_end_give_up("more than 4096 threads at a time");
}

static void free_slot(struct dh_task *t)
{
	threads.slot_used[t->thread.slot] = 0;
}

struct dh_task *dh_task_new(struct dh_task *parent)
{
	struct dh_task *t = rt_alloc(sizeof(*t));

	if (!t)
		dh_end_give_up("no memory is left for another thread");
	t->thread.id = dh_core.all.count;
	t->thread.slot = take_slot();
	t->thread.budget = (int64_t)dh_ctl->ask.budget;
	t->deadline = DH_NEVER;
	t->sigmask = parent ? parent->sigmask : 0;
	/* The set of all only grows, so that a number is a place in it. */
	dh_set_add(&dh_core.all, t);
	t->set = NULL;
	dh_strategy_created(t);
	return t;
}

/* -- what the host sees of a thread */

static struct dh_sched_thread *row_of(const struct dh_task *t)
{
	uint64_t n = dh_ctl->threads_max, at = dh_ctl->threads_offset;

	if (t->thread.id >= n || at % 8 || at > dh_ctl->size ||
		n > (dh_ctl->size - at) / sizeof(struct dh_sched_thread))
		return NULL;
	return (struct dh_sched_thread *)((char *)dh_ctl + at) + t->thread.id;
}

static void describe(const struct dh_task *t, const struct dh_task *parent, uintptr_t pc)
{
	struct dh_sched_thread *row = row_of(t);

	dh_ctl->result.nthreads++;
	if (!row) {
		dh_ctl->result.lost_threads++;
		return;
	}
	*row = (struct dh_sched_thread){
		.id = t->thread.id,
		.parent = parent ? parent->thread.id : 0,
		.start = (uint64_t)(uintptr_t)t->start,
	};
	if (!parent)
		return;
	row->created.thread = parent->thread.id;
	row->created.count =
		dh_detect_stack(&parent->thread, pc, row->created.pc, DH_SCHED_FRAMES_MAX);
}

static void describe_stack(const struct dh_task *t)
{
	struct dh_sched_thread *row = row_of(t);

	if (!row)
		return;
	row->stack_low = (uint64_t)(uintptr_t)t->thread.stack_low;
	row->stack_high = (uint64_t)(uintptr_t)t->thread.stack_high;
}

/* -- start and end */

static void on_last_turn(struct dh_task *self)
{
	struct dh_sched_thread *row = row_of(self);

	self->thread.inside++;
	dh_detect_thread_ended(&self->thread);
	if (row)
		row->ended = 1;
	for (uint32_t i = 0; i < dh_core.all.count; i++) {
		struct dh_task *t = dh_core.all.at[i];

		/* Those that wait for a lock which it still holds may be told of its death. */
		if (t->joining == self || (t->blocked_on && t->blocked_on->owner == &self->thread))
			dh_wake(t, DH_WAKE_EVENT);
	}
	if (self->detached) {
		dh_detect_thread_gone(&self->thread);
		free_slot(self);
		if (threads.nleaving < 64)
			threads.leaving[threads.nleaving++] = self->tid;
	}
	dh_self = NULL;
	dh_turn_end(self);
}

/* Called in each round in which the C library runs the destructors of thread-specific data.  The
 * program's own run in the same rounds: the thread ends, for the scheduler, in the last one. */
static void end_of_thread(void *p)
{
	struct dh_task *self = p;

	if (dh_self != &self->thread)
		return;
	if (++self->destructor_rounds < PTHREAD_DESTRUCTOR_ITERATIONS)
		pthread_setspecific(threads.key, self);
	else
		on_last_turn(self);
}

static size_t stack_size(const pthread_attr_t *attr)
{
	pthread_attr_t standard;
	size_t size = 8u << 20;

	if (attr) {
		pthread_attr_getstacksize(attr, &size);
	} else if (pthread_attr_init(&standard) == 0) {
		pthread_attr_getstacksize(&standard, &size);
		pthread_attr_destroy(&standard);
	}
	return size;
}

static void *first_function(void *p)
{
	struct dh_task *self = p;
	struct dh_next next = {.op = DH_OP_START, .pc = (uintptr_t)self->start};

	self->tid = (int32_t)rt_gettid();
	self->thread.inside = 1;
	dh_self = &self->thread;
	self->next = next;
	/* Thread descriptors lie at the upper end of stacks. */
	self->thread.stack_high = (void *)pthread_self();
	self->thread.stack_low = (char *)pthread_self() - self->stack_size;
	dh_turn_first(self);
	dh_end_thread(self);
	describe_stack(self);
	dh_detect_thread_started(&self->thread);
	dh_signal_task_started(self);
	pthread_setspecific(threads.key, self);
	self->thread.inside = 0;
	return self->start(self->argument);
}

static void await_tid(int32_t tid)
{
	while (rt_syscall3(SYS_tgkill, rt_getpid(), tid, 0) == 0)
		rt_syscall0(SYS_sched_yield);
}

void dh_thread_await(const struct dh_task *t)
{
	await_tid(t->tid);
}

/* Detached threads go through the C library's exit after their last turn.  Whether their stack can
 * be used again must not depend on how fast they are. */
static void await_leaving(void)
{
	for (uint32_t i = 0; i < threads.nleaving; i++)
		await_tid(threads.leaving[i]);
	threads.nleaving = 0;
}

int dh_create_at(pthread_t *ret, const pthread_attr_t *attr, void *(*start)(void *), void *argument,
	uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self), *t;
	int state = PTHREAD_CREATE_JOINABLE, r;

	self->thread.inside++;
	dh_directed_look_for_modules();
	await_leaving();
	t = dh_task_new(self);
	t->start = start;
	t->argument = argument;
	t->stack_size = stack_size(attr);
	if (attr)
		pthread_attr_getdetachstate(attr, &state);
	t->detached = state == PTHREAD_CREATE_DETACHED;
	dh_detect_thread_created(&self->thread, &t->thread, pc);
	describe(t, self, pc);
	r = dh_real()->pthread_create(&t->handle, attr, first_function, t);
	if (r != 0) {
		t->state = DH_TASK_ENDED;
		t->joined = true;
		free_slot(t);
	} else {
		*ret = t->handle;
		dh_core.alive++;
		dh_task_set_state(t, DH_TASK_NEW);
	}
	self->thread.inside--;
	if (r == 0)
		dh_sched_point(DH_OP_CREATE, NULL, pc);
	return r;
}

DH_EXPORT int pthread_create(
	pthread_t *ret, const pthread_attr_t *attr, void *(*start)(void *), void *argument)
{
	if (!dh_scheduled(dh_self)) {
		dh_threads_before_main++;
		return dh_real()->pthread_create(ret, attr, start, argument);
	}
	return dh_create_at(ret, attr, start, argument, DH_CALLER());
}

/* -- join, detach */

static int wait_end(struct dh_task *self, struct dh_task *t, uintptr_t pc, uint64_t deadline)
{
	struct dh_next next = {.op = DH_OP_JOIN, .pc = pc};
	enum dh_wake why = DH_WAKE_NONE;

	while (t->state != DH_TASK_ENDED) {
		if (why == DH_WAKE_TIMEOUT)
			return ETIMEDOUT;
		if (t == self || t->joining == self)
			return EDEADLK;
		self->joining = t;
		why = dh_block(self, &next, deadline, DH_BLOCK_CANCEL);
		self->joining = NULL;
		if (why == DH_WAKE_CANCEL)
			dh_cancel_point(self);
	}
	return 0;
}

static int reap(struct dh_task *self, struct dh_task *t, void **ret)
{
	int r = dh_real()->pthread_join(t->handle, ret);

	if (r != 0)
		return r;
	t->joined = true;
	dh_detect_thread_joined(&self->thread, &t->thread);
	free_slot(t);
	return 0;
}

/* A thread that a constructor started: it runs as it likes. */
static int join_unknown(pthread_t handle, void **ret, uintptr_t pc)
{
	__attribute__((cleanup(dh_outside_end), unused)) struct dh_outside outside =
		dh_outside_begin(pc);

	return dh_real()->pthread_join(handle, ret);
}

int dh_join_at(pthread_t handle, void **ret, uintptr_t pc, uint64_t deadline)
{
	struct dh_task *self = dh_task_of(dh_self), *t = dh_task_by_handle(handle);
	int r;

	if (!t)
		return join_unknown(handle, ret, pc);
	if (t->detached)
		return EINVAL;
	dh_sched_point(DH_OP_JOIN, NULL, pc);
	self->thread.inside++;
	dh_cancel_point(self);
	r = wait_end(self, t, pc, deadline);
	if (r == 0)
		r = reap(self, t, ret);
	self->thread.inside--;
	return r;
}

DH_EXPORT int pthread_join(pthread_t handle, void **ret)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_join(handle, ret);
	return dh_join_at(handle, ret, DH_CALLER(), DH_NEVER);
}

DH_EXPORT int pthread_timedjoin_np(pthread_t handle, void **ret, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_timedjoin_np(handle, ret, until);
	return dh_join_at(handle, ret, DH_CALLER(),
		until ? dh_clock_deadline(until, CLOCK_REALTIME) : DH_NEVER);
}

DH_EXPORT int pthread_clockjoin_np(
	pthread_t handle, void **ret, clockid_t clock, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_clockjoin_np(handle, ret, clock, until);
	return dh_join_at(
		handle, ret, DH_CALLER(), until ? dh_clock_deadline(until, clock) : DH_NEVER);
}

DH_EXPORT int pthread_tryjoin_np(pthread_t handle, void **ret)
{
	struct dh_task *self = dh_task_of(dh_self), *t;
	uintptr_t pc = DH_CALLER();
	int r = EBUSY;

	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_tryjoin_np(handle, ret);
	t = dh_task_by_handle(handle);
	if (!t)
		return dh_real()->pthread_tryjoin_np(handle, ret);
	dh_sched_point(DH_OP_TRYLOCK, NULL, pc);
	self->thread.inside++;
	if (t->state == DH_TASK_ENDED)
		r = reap(self, t, ret);
	else
		dh_spin(self, pc, (uint64_t)handle);
	self->thread.inside--;
	return r;
}

DH_EXPORT int pthread_detach(pthread_t handle)
{
	struct dh_task *t = dh_scheduled(dh_self) ? dh_task_by_handle(handle) : NULL;
	int r = dh_real()->pthread_detach(handle);

	if (!t || r != 0)
		return r;
	t->detached = true;
	if (t->state == DH_TASK_ENDED) {
		dh_detect_thread_gone(&t->thread);
		free_slot(t);
	}
	return 0;
}

DH_EXPORT int pthread_setname_np(pthread_t handle, const char *name)
{
	struct dh_task *t = dh_scheduled(dh_self) ? dh_task_by_handle(handle) : NULL;
	struct dh_sched_thread *row = t ? row_of(t) : NULL;

	if (row)
		rt_text_copy(row->name, sizeof(row->name), name);
	return dh_real()->pthread_setname_np(handle, name);
}

/* -- the main thread */

extern void *__libc_stack_end;

void dh_thread_start_main(void)
{
	struct dh_task *t;
	struct rlimit limit = {8u << 20, 8u << 20};

	pthread_key_create(&threads.key, end_of_thread);
	t = dh_task_new(NULL);
	t->handle = pthread_self();
	t->tid = (int32_t)rt_gettid();
	t->thread.inside = 1;
	getrlimit(RLIMIT_STACK, &limit);
	t->stack_size = limit.rlim_cur > 1u << 30 ? 1u << 30 : limit.rlim_cur;
	t->thread.stack_high = __libc_stack_end;
	t->thread.stack_low = (char *)__libc_stack_end - t->stack_size;
	dh_core.alive = 1;
	dh_task_set_state(t, DH_TASK_RUNNING);
	dh_core.running = t;
	dh_self = &t->thread;
	dh_end_thread(t);
	describe(t, NULL, 0);
	describe_stack(t);
	dh_detect_thread_created(NULL, &t->thread, 0);
	dh_detect_thread_started(&t->thread);
	pthread_setspecific(threads.key, t);
	t->thread.inside = 0;
}

void dh_thread_forked(struct dh_task *self)
{
	for (uint32_t i = 0; i < dh_core.all.count; i++) {
		struct dh_task *t = dh_core.all.at[i];

		if (t == self)
			continue;
		dh_timed_remove(t);
		dh_task_set_state(t, DH_TASK_ENDED);
		t->npending = 0;
		t->joining = NULL;
	}
	threads.nleaving = 0;
	self->tid = (int32_t)rt_gettid();
	dh_core.alive = 1;
	dh_core.running = self;
}
