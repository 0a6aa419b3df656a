/* The gate of a recording: somebody who is asked at the entry of every system call that stops, may
 * hold the task there, and is told what came of it.  So an order of calls can be enforced on a
 * running process tree while it is being recorded.
 *
 * Calls come from the recorder's one thread, between two stops; tasks that are held do not hold up
 * any other.  A held task is asked about again after every stop of any task and at every tick.
 * Calls that the recorder never stops at (class DH_SYS_RERUN), and in recordings with descriptions
 * those that have none, are not seen.  Calls that the buffer makes are not asked about: it makes
 * them once the gate is open, and before that as many as the gate allows. */
#pragma once
#include "base/forward.h"
#include "sysmodel/sysmodel.h"

#include <sys/types.h>

struct dh_ev_call;

struct dh_gate_call {
	uint32_t task; /* number in the recording */
	pid_t tid, pid;
	struct dh_sys_call call;        /* the result is valid at the exit only */
	const struct dh_ev_call *about; /* in a recording with descriptions of calls, or NULL */
};

enum dh_gate_verdict {
	DH_GATE_GO,
	DH_GATE_HOLD,
};

struct dh_gate_created {
	uint32_t parent, child; /* tasks; parent 0: the first one */
	pid_t tid, pid;
	uint64_t flags; /* CLONE_* */
};

struct dh_gate_ended {
	uint32_t task;
	pid_t tid, pid;
	bool process; /* the last of its process: status is that of the process */
	int status;   /* wait status */
};

/* What the tasks do at a tick. */
struct dh_gate_state {
	int n_tasks;
	int n_held;
	int n_waiting; /* known when nothing has moved for a while: sleep in a call that only
			  another process or the outside can end */
	double quiet;  /* seconds since the last stop */
};

struct dh_gate {
	void *cookie;
	/* From now on nothing will be held: calls need not stop for the gate.  May be NULL: it
	 * never opens. */
	bool (*is_open)(void *cookie);
	/* How many of the task's next calls need not be asked about.  Those that the buffer makes
	 * of them are told later, in their order, before the task is asked about again.  Both NULL,
	 * or none. */
	uint32_t (*allows)(void *cookie, uint32_t task);
	void (*passed)(void *cookie, const struct dh_gate_call *c);
	enum dh_gate_verdict (*entry)(void *cookie, const struct dh_gate_call *c);
	/* For a call that may go: 0, or the errno that it is answered with instead; may be NULL. */
	int (*refuse)(void *cookie, const struct dh_gate_call *c);
	/* Whether `feed` never changes the time that this task is told. */
	bool (*own_clock)(void *cookie, uint32_t task);
	/* The call has ended, and nothing of that is logged yet: what it wrote may be replaced with
	 * `write` (0 or -errno), and so may its result, which is returned; may be NULL.  Of
	 * calls that it allows or that come when it is open, only those that tell the time and
	 * getrandom do come here. */
	int64_t (*feed)(void *cookie, const struct dh_gate_call *c,
		int (*write)(void *cookie, uint64_t addr, const void *p, size_t n));
	/* A signal strikes the task before the call that it was asked about, or was going to be: it
	 * is not made now.  What the task does next is asked about; mostly, behind a handler, the
	 * same call again. */
	void (*struck)(void *cookie, uint32_t task);
	/* Not for calls that do not return: exit, and execve that succeeds reports 0. */
	void (*exit)(void *cookie, const struct dh_gate_call *c);
	void (*created)(void *cookie, const struct dh_gate_created *c);
	void (*ended)(void *cookie, const struct dh_gate_ended *e);
	/* Every few milliseconds; what it returns other than 0 ends the recording and all tasks:
	 * dh_record_run() then returns that (-errno) with the words that were put into err. */
	int (*tick)(void *cookie, const struct dh_gate_state *s, struct dh_error *err);
};
