/* The scheduler's own state: tasks, sets of tasks, the turn.  Only for scheduler files; what the
 * detector may use is in sched.h.  Everything belongs to whoever has the turn, except for what is
 * said to be under the gate. */
#pragma once
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "sched/sched.h"

enum dh_task_state {
	DH_TASK_NEW,       /* created, has not run yet, but may */
	DH_TASK_RUNNING,   /* has the turn */
	DH_TASK_READY,     /* may have it */
	DH_TASK_POSTPONED, /* may, but is held back before a target (Algorithm 1) */
	DH_TASK_BLOCKED,   /* until somebody wakes it, or its deadline */
	DH_TASK_IO,        /* until a descriptor is ready, or its deadline */
	DH_TASK_OUTSIDE,   /* in a system call, without the turn */
	DH_TASK_ENDED,
};

/* Why a blocked task goes on. */
enum dh_wake {
	DH_WAKE_NONE,
	DH_WAKE_EVENT, /* what it waited for */
	DH_WAKE_TIMEOUT,
	DH_WAKE_SPURIOUS,
	DH_WAKE_SIGNAL, /* a handler is to run: EINTR where the call has it */
	DH_WAKE_CANCEL,
};

/* How a task may be woken other than by the event. */
enum dh_block_flags {
	DH_BLOCK_CANCEL = 1 << 0,   /* a cancellation point */
	DH_BLOCK_SIGNAL = 1 << 1,   /* a signal interrupts it */
	DH_BLOCK_SPURIOUS = 1 << 2, /* may wake without a reason */
	DH_BLOCK_SLEEP = 1 << 3,    /* nothing but time ends it */
	DH_BLOCK_SIGWAIT = 1 << 4,  /* it takes a signal itself */
};

#define DH_NEVER UINT64_MAX
/* The longest loop of operations that is recognised as waiting. */
#define DH_SPIN_WINDOW 16
#define DH_PENDING_MAX 8

/* The next thing that a task will do once it has the turn. */
struct dh_next {
	enum dh_sched_op op;
	struct dh_object *obj;
	uintptr_t pc;
	uint64_t address;
	uint32_t size;
	uint8_t access; /* enum dh_sched_access */
	bool write;     /* orders against other operations on the object, for POS */
	uint16_t roles; /* of the targets at pc; 0: an ordinary point */
};

/* A signal that a task has to handle. */
struct dh_pending {
	siginfo_t info;
	uintptr_t from; /* where it was sent; 0: by a timer, or from outside */
	bool own;       /* by the task itself */
};

struct dh_set {
	struct dh_task **at;
	uint32_t count, max;
};

struct dh_task {
	struct dh_thread thread;
	uint32_t turn; /* futex: 1 when the turn is here */
	uint8_t state; /* enum dh_task_state */
	uint8_t wake;  /* enum dh_wake */
	uint8_t block_flags;
	bool timed_out_early; /* its time-out may be chosen at any point */
	uint32_t place;       /* index in the set that it is in */
	struct dh_set *set;
	struct dh_next next;
	uint32_t points;

	uint64_t deadline;      /* logical ns, DH_NEVER: none */
	uint64_t kept_deadline; /* the same, while it is ready but may have to block again */
	uint32_t timed_place;
	uint64_t blocked_since; /* in points of all threads */
	struct dh_object *blocked_on;
	struct dh_task *joining;
	struct dh_task *next_waiter, *prev_waiter;
	struct pollfd *fds;
	uint32_t nfds;

	uint64_t priority;             /* PCT, POS */
	uint64_t spin[DH_SPIN_WINDOW]; /* hashes of its last operations and what they saw */
	uint32_t spin_at, spins;
	uint32_t plain_looks;   /* of those, accesses that are not atomic */
	bool waits;             /* its last sample of plain accesses was a loop that waits */
	uintptr_t probing;      /* the statement whose memory the runtime looks at; 0: none */
	uint32_t budgets;       /* that were used up in a row */
	uint64_t first_address; /* atomicity: what its first local access was to; 0: none yet */
	uint32_t first_size;
	bool must; /* waits in the queue of those that have to run first */

	bool detached, joined, logically_ended, async_cancel, cancelled;
	uint32_t held;     /* locks that it owns */
	uint32_t npending; /* signals to be handled */
	struct dh_pending pending[DH_PENDING_MAX];
	struct dh_pending delivered; /* what is being handled */
	struct dh_next interrupted;  /* what it was about to do when the handler came */
	bool accepting;              /* a handler may run now */
	bool restart;                /* the last handler wants calls to go on, not EINTR */
	int32_t tid;
	uint32_t destructor_rounds;
	pthread_t handle;
	void *(*start)(void *);
	void *argument;
	size_t stack_size;
	uint64_t sigmask;              /* bit n - 1: signal n is held back */
	struct dh_task *returned_next; /* under the gate */
	uint32_t replay_at;            /* next of its steps in the log, plus 1; 0: none */
	bool replay_begun;
	char *altstack;
};

struct dh_core {
	struct dh_set ready, postponed, timed, io, outside, all;
	struct dh_task *running;
	uint32_t alive; /* tasks that have not ended */
	uint32_t next_id;
	uint64_t points;
	uint64_t now;    /* logical ns since the start */
	uint64_t waited; /* like points, but loops that wait count for more: patience */
	uint64_t idle;   /* points since a thread last did something other than wait in a loop */
	uint64_t spun;   /* points in such loops, in all */
	uint64_t random[4];
	uint32_t naps;  /* sleeps in a row during which nobody else could run */
	bool signalled; /* a signal arrived; set without the turn */
	bool timers;    /* the kernel has one of the program's: a signal may come at any time */
	uint32_t timers_set; /* in logical time, that are going to go off */
	bool handlers;       /* the program has handlers of signals */
	bool io_dirty;       /* a descriptor may have become ready */
	uint64_t io_polled;
	uint64_t hash;
};
extern DH_HIDDEN struct dh_core dh_core;

static inline struct dh_task *dh_task_of(struct dh_thread *t)
{
	return (struct dh_task *)t;
}

/* Entry points ask this first: is the caller scheduled, and not in the middle of runtime code? */
static inline bool dh_scheduled(const struct dh_thread *self)
{
	return self && self->inside == 0;
}

static inline uint64_t dh_random(void)
{
	uint64_t *s = dh_core.random, result = s[0] + s[3], t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = s[3] << 45 | s[3] >> 19;
	return result;
}

/* Where threads do nothing but wait in loops, only every so many looks are points at which another
 * one may go on. */
#define DH_LOOKS 64u

/* Threads have waited in loops for so long that it looks like a livelock: until it is called one,
 * nobody is held back, time passes, and all that are ready take turns, whatever the strategy or an
 * earlier schedule says. */
static inline bool dh_fair(void)
{
	return dh_core.idle > dh_ctl->ask.idle / 2;
}

/* 0 to n - 1. */
static inline uint32_t dh_random_below(uint32_t n)
{
	return (uint32_t)(((dh_random() >> 32) * n) >> 32);
}

/* -- point.c */
/* The task did something that waits in a loop: key and value say what it saw.  True when this has
 * become a loop. */
bool DH_HIDDEN dh_spin(struct dh_task *self, uint64_t key, uint64_t value);

/* It has waited in a loop for as long as so many of these take. */
void DH_HIDDEN dh_looked(struct dh_task *self, uint32_t looks);

/* -- sets.c */
void DH_HIDDEN dh_set_add(struct dh_set *set, struct dh_task *t);
void DH_HIDDEN dh_set_remove(struct dh_task *t);
/* Which tasks have a deadline: a set of its own, beside the one of their state. */
void DH_HIDDEN dh_timed_add(struct dh_task *t);
void DH_HIDDEN dh_timed_remove(struct dh_task *t);
/* Changes state and set. */
void DH_HIDDEN dh_task_set_state(struct dh_task *t, enum dh_task_state state);

/* -- turn.c */
/* A point at which the running task could go on, too. */
void DH_HIDDEN dh_point(struct dh_task *self, const struct dh_next *next);
/* One at which it does go on. */
void DH_HIDDEN dh_point_past(struct dh_task *self, const struct dh_next *next);
/* The running task cannot go on until it is woken; deadline DH_NEVER: no limit.  Everything that
 * can wake it must have been set up before. */
enum dh_wake DH_HIDDEN dh_block(
	struct dh_task *self, const struct dh_next *next, uint64_t deadline, unsigned flags);
/* Makes a blocked task ready. */
void DH_HIDDEN dh_wake(struct dh_task *t, enum dh_wake why);
/* Takes that back, as long as it has not run. */
void DH_HIDDEN dh_unwake(struct dh_task *t);
/* Around a system call that may take any time. */
void DH_HIDDEN dh_leave(struct dh_task *self, uintptr_t pc);
void DH_HIDDEN dh_return(struct dh_task *self);
/* The same for one function: DH_OUTSIDE(); the call follows.  The turn is taken back when the
 * function is left, also when a cancellation unwinds the stack from inside of the call. */
struct dh_outside {
	struct dh_task *self;
};
struct dh_outside DH_HIDDEN dh_outside_begin(uintptr_t pc);
void DH_HIDDEN dh_outside_end(struct dh_outside *o);
#define DH_OUTSIDE()                                                                               \
	__attribute__((cleanup(dh_outside_end), unused)) struct dh_outside outside =               \
		dh_outside_begin(DH_CALLER())
/* The running task is gone for good. */
void DH_HIDDEN dh_turn_end(struct dh_task *self);
/* A new task waits for its first turn. */
void DH_HIDDEN dh_turn_first(struct dh_task *self);
/* In the child of a fork: nobody else is there. */
void DH_HIDDEN dh_turn_forked(void);
/* Threads that came back from outside and wait to be taken notice of; under the gate. */
struct dh_task DH_HIDDEN *dh_turn_returned(void);
/* Sleeps until another one comes back. */
void DH_HIDDEN dh_turn_await_return(uint32_t milliseconds);

/* -- pick.c */
/* Who is next.  `self` is the running task, whatever its state is now.  With wait false, NULL when
 * only something outside of the scheduler can make a task ready. */
struct dh_task DH_HIDDEN *dh_pick(struct dh_task *self, bool wait);

/* -- strategy.c */
void DH_HIDDEN dh_strategy_start(void);
void DH_HIDDEN dh_strategy_created(struct dh_task *t);
/* One of the ready tasks (there is at least one). */
struct dh_task DH_HIDDEN *dh_strategy_choose(struct dh_task *self);
/* The task is in a loop that waits, or said that it yields. */
void DH_HIDDEN dh_strategy_yielded(struct dh_task *t);
/* A choice that is not about threads: 0 to n - 1, logged and replayed. */
uint32_t DH_HIDDEN dh_choose(struct dh_task *self, uint32_t n);

/* -- directed.c */
void DH_HIDDEN dh_directed_start(void);
/* Targets whose module is loaded now. */
void DH_HIDDEN dh_directed_add_targets(void);
/* Which accesses come to dh_sched_at_statement(): those at targets, or all. */
void DH_HIDDEN dh_directed_watch(bool all);
/* The task is about to do self->next at a target: postpones it, resolves a race, or lets it go on.
 */
void DH_HIDDEN dh_directed_at_target(struct dh_task *self);
/* Somebody must be let go: everybody who could run is postponed. */
void DH_HIDDEN dh_directed_release_one(void);
/* Those that have waited too long. */
void DH_HIDDEN dh_directed_patience(void);
/* The roles of the targets at this pc, as bits 1 << enum dh_sched_role; 0: none. */
unsigned DH_HIDDEN dh_directed_roles(uintptr_t pc);
/* A task that has to run before any other, or NULL. */
struct dh_task DH_HIDDEN *dh_directed_must(void);
void DH_HIDDEN dh_directed_resolve_modules(void);
/* The same again when the program has loaded others meanwhile. */
void DH_HIDDEN dh_directed_look_for_modules(void);

/* -- fork.c */
void DH_HIDDEN dh_fork_start(void);
/* In what the run forked: the block of the run itself, else NULL. */
extern DH_HIDDEN struct dh_sched_ctl *dh_ctl_of_run;

/* -- hot.c */
void DH_HIDDEN dh_hot_start(void);
/* So many accesses were made since the last point of this task: the next ones may be looked at. */
void DH_HIDDEN dh_hot_spent(struct dh_task *self, uint64_t accesses);
void DH_HIDDEN dh_hot_sample(
	struct dh_task *self, uintptr_t pc, uintptr_t address, unsigned access);

/* -- log.c */
void DH_HIDDEN dh_log_start(void);
/* In the child of a fork: nothing is written any more. */
void DH_HIDDEN dh_log_forked(void);
void DH_HIDDEN dh_log_point(struct dh_task *self);
void DH_HIDDEN dh_log_switch(struct dh_task *self, struct dh_task *next, unsigned flags);
void DH_HIDDEN dh_log_event(struct dh_task *self, uint32_t next, unsigned flags, uint32_t extra);
/* Replay: the entry of this task and its present point that has one of `flags`, or NULL; it is used
 * up. */
const struct dh_sched_step DH_HIDDEN *dh_log_replay(struct dh_task *self, unsigned flags);

/* -- object.c */
void DH_HIDDEN dh_object_destroy(const volatile void *address);
/* It begins, or ends: that is a write to it, as every use of it is a read. */
void DH_HIDDEN dh_object_touch(const void *address, uintptr_t pc);
void DH_HIDDEN dh_object_renew(const void *address, uintptr_t pc);
/* The queue of those that are blocked on it. */
void DH_HIDDEN dh_object_wait(struct dh_object *obj, struct dh_task *t);
void DH_HIDDEN dh_object_unwait(struct dh_object *obj, struct dh_task *t);
void DH_HIDDEN dh_object_wake_all(struct dh_object *obj);
/* Somebody was faster: those that were woken for the object, but have not run yet, cannot go on
 * after all.  With only_writers, those that would share it can. */
void DH_HIDDEN dh_object_block_again(struct dh_object *obj, bool only_writers);

/* -- thread.c */
struct dh_task DH_HIDDEN *dh_task_new(struct dh_task *parent);
struct dh_task DH_HIDDEN *dh_task_by_handle(pthread_t handle);
struct dh_task DH_HIDDEN *dh_task_by_id(uint32_t id);
void DH_HIDDEN dh_thread_start_main(void);
/* Waits until a thread that had its last turn has left the process. */
void DH_HIDDEN dh_thread_await(const struct dh_task *t);
/* In the child of a fork: self is the only one left. */
void DH_HIDDEN dh_thread_forked(struct dh_task *self);
/* Threads that constructors started: they are not scheduled. */
extern DH_HIDDEN uint32_t dh_threads_before_main;
/* Acts on a cancellation that is pending; does not return then. */
void DH_HIDDEN dh_cancel_point(struct dh_task *self);

/* -- end.c */
void DH_HIDDEN dh_end_start(void);
void DH_HIDDEN dh_end_thread(struct dh_task *self);
/* A cycle of owners that the running task closes by waiting for obj?  Ends the run if so. */
void DH_HIDDEN dh_end_check_cycle(struct dh_task *self);
_Noreturn void DH_HIDDEN dh_end_stuck(void);
_Noreturn void DH_HIDDEN dh_end_limit(void);
_Noreturn void DH_HIDDEN dh_end_give_up(const char *why);
void DH_HIDDEN dh_end_exit(int status);
extern DH_HIDDEN int dh_exit_status;
/* Signals whose default is the end with a core: they are caught, told and raised again. */
bool DH_HIDDEN dh_end_is_fatal(int sig);
void DH_HIDDEN dh_end_crash(int sig, siginfo_t *info, void *context);
/* 0 in the process of the run, more in what it forked. */
extern DH_HIDDEN uint32_t dh_fork_depth;

/* -- clock.c */
/* Logical deadline of an absolute time of the program's clock, or of a duration from now. */
uint64_t DH_HIDDEN dh_clock_deadline(const struct timespec *absolute, clockid_t clock);
uint64_t DH_HIDDEN dh_clock_after(const struct timespec *duration);
uint64_t DH_HIDDEN dh_clock_duration(const struct timespec *duration);

/* -- signal.c */
void DH_HIDDEN dh_signal_start(void);
/* A task that has inherited blocked signals begins. */
void DH_HIDDEN dh_signal_task_started(struct dh_task *self);
/* Sends a signal to a task, or to the process (NULL), on behalf of a timer. */
void DH_HIDDEN dh_signal_send(
	struct dh_task *self, struct dh_task *to, int sig, union sigval value);
/* Breakpoints at targets of programs that were not built for fuzzing (trap.c). */
void DH_HIDDEN dh_trap_start(void);
/* Runs handlers that are due on this thread, which has the turn. */
void DH_HIDDEN dh_signal_deliver(struct dh_task *self);
/* Wakes those that a signal reached while they were blocked. */
void DH_HIDDEN dh_signal_look(void);

/* -- timer.c */
/* The one that goes off first and when; DH_NEVER: none.  only_early: of those that may go off at
 * any point. */
uint64_t DH_HIDDEN dh_timer_first(bool only_early, uint32_t *ret);
void DH_HIDDEN dh_timer_fire(struct dh_task *self, uint32_t which);
/* In the child of a fork: timers are not inherited. */
void DH_HIDDEN dh_timer_forked(void);
/* A descriptor is closed; it may be that of a timer. */
void DH_HIDDEN dh_timer_closed(int fd);

/* -- what the POSIX and the C11 names have in common; pc is that of the program's call.  All take
 * the turn into account, and return an errno value. */
int DH_HIDDEN dh_mutex_lock_at(pthread_mutex_t *m, uintptr_t pc, uint64_t deadline);
int DH_HIDDEN dh_mutex_trylock_at(pthread_mutex_t *m, uintptr_t pc);
int DH_HIDDEN dh_mutex_unlock_at(pthread_mutex_t *m, uintptr_t pc);
int DH_HIDDEN dh_cond_wait_at(
	pthread_cond_t *c, pthread_mutex_t *m, uintptr_t pc, uint64_t deadline);
void DH_HIDDEN dh_cond_wake_at(pthread_cond_t *c, bool all, uintptr_t pc);
int DH_HIDDEN dh_once_at(pthread_once_t *control, void (*routine)(void), uintptr_t pc);
int DH_HIDDEN dh_create_at(pthread_t *ret, const pthread_attr_t *attr, void *(*start)(void *),
	void *argument, uintptr_t pc);
int DH_HIDDEN dh_join_at(pthread_t handle, void **ret, uintptr_t pc, uint64_t deadline);
void DH_HIDDEN dh_yield_at(uintptr_t pc);
/* 0, or EINTR. */
int DH_HIDDEN dh_sleep_at(uint64_t nanoseconds, uintptr_t pc);

/* -- mutex.c, for condition variables */
int DH_HIDDEN dh_mutex_take(
	struct dh_task *self, pthread_mutex_t *m, uintptr_t pc, uint64_t deadline, unsigned how);
int DH_HIDDEN dh_mutex_give(struct dh_task *self, pthread_mutex_t *m, uintptr_t pc, unsigned how);
