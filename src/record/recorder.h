/* Private to this folder: the recorder's state.
 *
 * A *task* is a thread of the program.  Tasks that share writable memory form a *group*; in a group
 * one task at a time holds the *turn* and runs the program's code, so that the order of their
 * accesses is the order of the log.  A task that waits in the kernel has given up the turn
 * (DH_EV_ENTER) and takes it back before its call is logged.  Groups run in parallel. */
#pragma once
#include "base/buf.h"
#include "base/map.h"
#include "proc/maps.h"
#include "proc/tracee.h"
#include "record/gate.h"
#include "record/record.h"
#include "sysmodel/sysmodel.h"
#include "trace/event.h"

#include <sched.h>

struct dh_ev_call;
struct dh_order;
struct dh_trace_writer;
struct iovec;
struct rules;
struct stat;

#define HELD_MAX 8

struct group {
	struct task *holder;     /* has the turn, or NULL */
	struct task *ready_head; /* stopped, wait for the turn */
	struct task *ready_tail;
	int n_tasks;
	double turn_began;
	double slice;
};

struct describe;
struct space;

struct process {
	struct space *space; /* NULL: no buffer, see buffer.h */
	pid_t pid;
	int n_tasks;
	bool has_shared;       /* writable memory that a child would share */
	struct dh_map keys;    /* the shared memories that it has mapped by name */
	bool executed;         /* has passed its first recorded exec */
	bool elsewhere;        /* names mean other files to it than to us, see notes.h */
	struct dh_map pages;   /* address -> hash, as of the last point (point.c) */
	struct dh_map random;  /* address of a breakpoint -> the byte below it (random.c) */
	struct dh_map fd_echo; /* descriptor -> what echo.c knows of it */
	uint64_t brk;
	/* Rings only: what a checkpoint could not read from outside. */
	uint64_t mm;    /* number of the address space */
	pid_t parent;   /* 0: the first process */
	uint64_t stack; /* where it began when the program was executed */
	uint64_t actions[DH_EV_ACTIONS][DH_EV_ACTION_SIZE / 8];
	struct process *next;
};

enum task_state {
	TASK_NEW,     /* waits for its first stop */
	TASK_RUNNING, /* in the program's code, or in a short call */
	TASK_WAITING, /* in a call that may block; has no turn */
	TASK_READY,   /* stopped; wants the turn */
	TASK_DYING,   /* its end is logged */
};

struct task {
	struct dh_tracee t;
	uint32_t id;
	struct process *process;
	struct group *group;
	struct task *next_ready;
	struct task *next_echo;
	enum task_state state;
	struct dh_stop stop; /* the stop to handle when the turn comes */

	bool in_call; /* between entry and exit of a traced call */
	bool entered; /* the log says that it has reached the entry */
	int64_t nr;
	struct dh_regs entry; /* registers at the entry */
	uint64_t entry_hash;
	uint32_t digest;  /* of what the call reads, until an event has it */
	bool interrupted; /* the call ended with a restart code */

	struct rules *rules; /* seccomp filters of the program (rules.c), or NULL */
	bool tsc_traps;      /* the program wants to be told when it reads the time stamp counter */

	bool at_boundary; /* no instruction has run since `boundary` was logged */
	struct dh_regs boundary;

	/* vfork: the parent's return is logged behind the child's exec, which makes it possible. */
	struct task *vfork_parent, *vfork_child;
	bool deferred; /* its exit stop waits for that */

	bool gated;       /* held at its entry, see gate.h */
	bool gate_passed; /* allowed to go on from there, but has had no turn yet */
	bool reenters;    /* its call was not made because of a signal, and comes in again */
	bool struck;      /* that has happened to its call */
	bool buffered;    /* the buffer made its call: the gate was not asked */

	bool stopped;       /* at `stop`, or waiting for something else than a stop */
	bool preempt_asked; /* an interrupt is under way to take the turn away */
	/* A point costs milliseconds: further asynchronous signals wait for as long as the last one
	 * took, or at most until the next call, so that a fast timer cannot starve the program. */
	double hold_until;
	uint64_t cpu_ns; /* how long it had run at its last point */
	siginfo_t held[HELD_MAX];
	int n_held;

	/* Rings only, see checkpoint.c. */
	bool parked;                /* its stop is handled after the checkpoint */
	bool park_asked;            /* an interrupt is under way for that */
	bool may_stay;              /* its call may last: the state at its entry is saved */
	struct dh_buf entry_xstate; /* while may_stay */
	uint64_t entry_mask;        /* while may_stay */
	uint64_t setting[DH_EV_ACTION_SIZE / 8]; /* what its call sets, read at the entry */
	bool has_setting;
	uint64_t altstack[3];
	uint64_t clear_tid;

	/* With opt->calls, see describe.h and notes.h. */
	struct describe *about; /* its call, or the last one */
	bool silent;            /* nobody is told of its call */
	bool busy;              /* it is one of those that order->busy counts */
	unsigned busy_place;    /* in order->touched */
};

struct recorder {
	const struct dh_record_options *opt;
	struct dh_record_result *result;
	struct dh_error *err;
	struct dh_trace_writer *writer;
	struct dh_map tasks;   /* tid -> struct task * */
	struct dh_map orphans; /* tid -> wait status of a child that is not announced yet */
	struct process *processes;
	struct dh_map files;  /* identity hash -> struct known_file * */
	struct dh_map shared; /* identity hash -> key */
	uint64_t next_file, next_key;
	uint32_t next_task;
	pid_t root;
	int failed;              /* -errno: stop everything */
	cpu_set_t cpus;          /* what the program would have seen */
	int cpu;                 /* the one that everything runs on */
	bool ticking;            /* the timer is set */
	struct task *echoing;    /* in a call that writes to our output: one at a time, so that */
	struct task *echo_queue; /* the log has them in the order in which they appear */
	uint64_t rng;
	const struct dh_gate *gate; /* or NULL */
	int n_gated;
	double last_stop; /* with a gate only */
	bool gate_opened; /* and the buffers know it */
	struct dh_buf payload, writes, scratch;
	struct dh_buf drained;             /* records of a buffer */
	struct dh_buf notes, note_payload; /* what they were about */
	bool flushing;          /* the code waits inside a call for room: its note is begun */
	struct dh_order *order; /* with opt->calls, see notes.h */
	int order_id;           /* of the shared memory that it is in, or -1 */
	struct { /* what is changed in the last dynamic linker that was seen, see image.c */
		struct dh_ev_vma text;
		struct dh_buf places, pages; /* offsets, and the whole pages there */
	} linker;
	struct dh_map codes;        /* number of a file -> what sites.c knows of its code */
	struct dh_buf shared_files; /* pairs of device and inode: files that are mapped shared */

	/* Rings only. */
	uint64_t next_mm;
	double next_try; /* no checkpoint before */
	bool warned_of_size;
	struct {
		uint64_t end_seq;        /* of its last event */
		uint64_t stored_before;  /* bytes in the recording when it began */
		uint64_t size, measured; /* its own bytes, and all when that was known; or 0 */
	} last_checkpoint;
};

/* recorder.c */
void dh_rec_log(struct recorder *r, struct task *t, enum dh_ev kind); /* r->payload, then cleared */
/* An event of the buffer itself, in pieces. */
void dh_rec_log_parts(
	struct recorder *r, struct task *t, enum dh_ev kind, const struct iovec *parts, int n);
/* Ticks interrupt the loop, and with it the program, which shares the processor: they come only
 * while somebody waits for the end of a time slice, or a signal is held back. */
void dh_ticks_want(struct recorder *r);
void dh_ticks_stop(struct recorder *r);
void dh_rec_fail(struct recorder *r, int error, const char *fmt, ...) DH_PRINTF(3, 4);
void dh_rec_warn(struct recorder *r, const char *fmt, ...) DH_PRINTF(2, 3);
struct task *dh_rec_task_new(struct recorder *r, pid_t tid, struct process *p, struct group *g);
void dh_rec_task_gone(struct recorder *r, struct task *t);
void dh_rec_handle(struct recorder *r, struct task *t);         /* t->stop, with the turn */
void dh_rec_dispatch(struct recorder *r, struct task *t);       /* t->stop, when it has the turn */
void dh_rec_stopped(struct recorder *r, pid_t tid, int status); /* what wait has reported */
void dh_rec_resume(struct recorder *r, struct task *t, enum dh_resume how, int sig);
/* A task ended while somebody waited for it to do something else: t->stop says how. */
void dh_rec_ended(struct recorder *r, struct task *t);
struct process *dh_rec_process_new(struct recorder *r, pid_t pid);

/* turn.c */
struct group *dh_group_new(void);
void dh_group_join(struct task *t, struct group *g);
void dh_group_leave(struct recorder *r, struct task *t);
bool dh_turn_take(struct recorder *r, struct task *t); /* true: has it now; false: queued */
void dh_turn_release(struct recorder *r, struct task *t);
/* Lets the others of the group run when the time slice is over (or at once), between two events:
 * nothing needs to be logged.  True: the task is queued, do not resume it. */
bool dh_turn_yield(struct recorder *r, struct task *t, bool at_once);
void dh_turn_tick(struct recorder *r); /* time slices */
/* The task's process has mapped this shared memory: its group becomes one with those of all other
 * processes that have. */
void dh_turn_share(struct recorder *r, struct task *t, uint64_t key);
double dh_rec_now(void);

/* call.c */
void dh_call_entry(struct recorder *r, struct task *t);
void dh_call_exit(struct recorder *r, struct task *t);
/* The task dies.  If that was on its way out of a call, what it wrote there has been seen. */
void dh_call_killed(struct recorder *r, struct task *t);
/* The call that the task is in, for sysmodel. */
struct dh_sys_call dh_call_of(struct task *t, int64_t result);
/* Logs that the task has reached the entry of its call, unless that is logged. */
void dh_call_log_enter(struct recorder *r, struct task *t);
/* A task that takes turns from now on was found stopped at its entry, or at its exit. */
void dh_call_found(struct recorder *r, struct task *t);
/* A handler interrupts a call in which the buffer waited: from here on it is one that the program
 * made itself.  regs, which are those before it, become those behind it. */
void dh_call_interrupted(struct recorder *r, struct task *t, struct dh_regs *regs, int64_t result);
/* A handler is entered, with this frame: the call that it interrupts is over, or is made again. */
void dh_call_handled(struct recorder *r, struct task *t, uint64_t frame);
int dh_call_read(void *cookie, uint64_t addr, void *p, size_t n); /* dh_sys_read_fn on a tracee */

/* clone.c */
void dh_call_cloned(struct recorder *r, struct task *t);
/* Whether the new task is not to be traced. */
bool dh_call_escapes(struct task *t);
/* The child of a vfork has executed another image, or is gone. */
void dh_call_vfork_over(struct recorder *r, struct task *child);

/* answer.c */
/* Answers the call at whose entry the task is instead of the kernel. */
void dh_call_answer(struct recorder *r, struct task *t, int64_t result);
/* The same for a call that is not made. */
void dh_call_refuse(struct recorder *r, struct task *t, const struct dh_sys_call *c);
void dh_call_refuse_escape(struct recorder *r, struct task *t);
/* Whether this very call had to be answered, and was. */
bool dh_call_answered(struct recorder *r, struct task *t, const struct dh_sys_call *c);

/* gate.c: nothing without a gate */
/* Nobody is held any more, nor asked about. */
bool dh_gate_is_open(const struct recorder *r);
/* At the entry of a call: true when the task is held there. */
bool dh_gate_holds(struct recorder *r, struct task *t);
int dh_gate_refuses(struct recorder *r, struct task *t); /* 0 or an errno */
void dh_gate_forget(struct recorder *r, struct task *t); /* it stopped elsewhere: killed */
void dh_gate_retry(struct recorder *r);                  /* after every stop and tick */
/* The result that the program sees. */
int64_t dh_gate_feed(struct recorder *r, struct task *t, int64_t result);
void dh_gate_exit(struct recorder *r, struct task *t, int64_t result);
/* The buffer has made this call. */
void dh_gate_passed(struct recorder *r, struct task *t, const struct dh_ev_call *about);
void dh_gate_created(
	struct recorder *r, const struct task *parent, const struct task *child, uint64_t flags);
void dh_gate_ended(struct recorder *r, struct task *t, int status, bool process);
void dh_gate_tick(struct recorder *r);

/* echo.c */
unsigned dh_echo_of(struct recorder *r, struct task *t, int fd);
/* The descriptor is a process's memory (files.c). */
bool dh_echo_is_memory(struct recorder *r, struct task *t, int fd);
/* At the entry of a call that writes to our output: resumes it, now or when it is its turn. */
void dh_echo_begin(struct recorder *r, struct task *t);
void dh_echo_end(struct recorder *r, struct task *t);
void dh_echo_forget(struct process *p, int64_t nr, const struct dh_sys_call *c);

/* image.c */
void dh_image_exec_stop(struct recorder *r, struct task *t);
void dh_image_exec_done(struct recorder *r, struct task *t, const struct dh_regs *regs);
bool dh_image_maps(int64_t nr); /* true for the calls that the next one describes */
void dh_image_map_done(struct recorder *r, struct task *t, const struct dh_regs *regs);

/* files.c */
uint64_t dh_files_add(struct recorder *r, int fd, const char *path);
/* Where the file with this number draws random numbers from the processor: how many. */
int dh_files_random(struct recorder *r, uint64_t id, const uint64_t **ret);
/* The number of the memory that this file is when it is mapped; its content is logged once. */
uint64_t dh_files_shared_key(struct recorder *r, struct task *t, int fd);
/* From here on every file is described again before it is used. */
void dh_files_restart(struct recorder *r);
void dh_files_release(struct recorder *r);
uint64_t dh_files_identity(const struct stat *st); /* key of recorder.shared */
/* Whether the descriptor is some process's memory. */
bool dh_files_is_memory(pid_t tid, int fd);
/* A call has written to such a descriptor: true when that was the task's own memory, and where. */
bool dh_files_wrote_memory(
	struct recorder *r, struct task *t, const struct dh_sys_call *c, struct dh_sys_range *ret);
/* A call has changed a file through a descriptor: log it when the file is mapped shared. */
void dh_files_changed(struct recorder *r, struct task *t, const struct dh_sys_call *c);

/* signal.c */
void dh_signal_stop(struct recorder *r, struct task *t);
void dh_signal_preempt(struct recorder *r, struct task *t);
/* Logs where the task, which is stopped in the program's code, was interrupted.  0 or -errno. */
int dh_signal_mark(struct recorder *r, struct task *t);
/* Sends the signals that were held back again. */
void dh_signal_requeue(struct task *t);
bool dh_signal_is_caught(struct task *t, int sig);
/* Signals (as a mask) that the task's process ignores. */
uint64_t dh_signal_ignored(pid_t tid);
/* Signals (as a mask) that are pending for the task, not blocked, and have a handler. */
uint64_t dh_signal_caught_pending(struct task *t);

/* checkpoint.c: rings begin each segment with the whole state of the program */
void dh_checkpoint_maybe(struct recorder *r); /* between two stops: when the writer wants one */
void dh_checkpoint_entry(struct recorder *r, struct task *t, unsigned flags);
void dh_checkpoint_exit(struct recorder *r, struct task *t, int64_t result);
void dh_checkpoint_cloned(struct recorder *r, struct task *t, struct task *child, uint64_t flags);
void dh_checkpoint_exec(struct recorder *r, struct task *t);

/* snapshot.c: the memory of one process.  -ESRCH: it is gone, nothing is logged. */
int dh_snapshot_process(
	struct recorder *r, struct task *first, bool with_memory, struct dh_map *live_keys);

/* random.c: random numbers from the processor */
/* A file was mapped: replaces the instructions that draw them. */
void dh_random_mapped(struct recorder *r, struct task *t, const struct dh_ev_vma *v);
/* At a breakpoint: true when it was one of those; the task goes on. */
bool dh_random_draw(struct recorder *r, struct task *t, struct dh_regs *regs);

/* rules.c: seccomp filters of the program */
/* The result of the call that installs one. */
int64_t dh_rules_install(struct recorder *r, struct task *t, const struct dh_sys_call *c);
/* At an entry: true when one forbids the call, which is answered then. */
bool dh_rules_forbid(struct recorder *r, struct task *t, const struct dh_sys_call *c);
/* Those of `from` become those of `to`, whose own are given up. */
void dh_rules_inherit(struct task *from, struct task *to);

/* exit.c */
uint64_t dh_exit_robust_list(pid_t tid);
/* Waits until a resumed task sleeps in the kernel or has stopped again; false after a while. */
bool dh_task_settles(pid_t pid, pid_t tid);
bool dh_task_sleeps(pid_t pid, pid_t tid); /* in the kernel, now */
void dh_exit_stop(struct recorder *r, struct task *t);
