/* Private to this folder: a debugger on one process of a replay.
 *
 * The replayer stays in charge: tasks run one at a time, in the order of the log, and the debugger
 * only decides where the attached process pauses.  The hooks below are called by the replayer at
 * its own steps; all of them do nothing when there is no debugger.  Those that return int give 0,
 * or -errno to be passed on: -ECANCELED means that the user has ended the replay.
 *
 * Breakpoint instructions are in the program's memory only while it runs its own code: whatever
 * reads or writes that memory meanwhile calls dh_debug_lift() first. */
#pragma once
#include "base/buf.h"
#include "isa/regs.h"
#include "proc/step.h"
#include "replay/gdb.h"

#include <signal.h>

struct dh_replay;
struct dh_replay_task;
struct dh_stop;
struct dh_debug_options;

#define DH_DEBUG_WATCHES 3 /* hardware slots 1 to 3; 0 belongs to seek.c */
#define DH_DEBUG_ACTIONS 64
#define DH_DEBUG_SIGNALS 65

struct debug_break {
	uint64_t addr;
	uint8_t byte; /* what belongs there; valid while it is in */
	bool in;
};

/* Up to eight aligned bytes, as the hardware has it. */
struct debug_watch {
	char type; /* as in Z packets: '1' execute, '2' write, '4' access; 0: free */
	uint64_t addr, value;
	unsigned len;
	uint64_t whole_addr, whole_len; /* of the request that it is part of */
};

enum debug_go { DEBUG_CONTINUE, DEBUG_STEP };

/* How the user wants a thread to go on. */
struct debug_action {
	enum debug_go go;
	uint32_t tid;        /* 0: all that are not named before */
	uint64_t start, end; /* DEBUG_STEP: until the program counter is outside of here */
};

struct dh_debug {
	struct dh_gdb gdb;
	uint32_t pid; /* as recorded; 0: not known yet, the first process */
	bool at_fork; /* attach when the process begins, not when it executes its program */
	bool attached;
	bool over;     /* the attached process has ended */
	bool detached; /* the replay goes on alone */
	char *const *args;

	uint32_t vm; /* whose memory the breakpoints are in */
	struct debug_break *breaks;
	size_t n_breaks, cap_breaks;
	bool some_out; /* not all of them are in */
	struct debug_watch watches[DH_DEBUG_WATCHES];
	uint32_t watch_version; /* tasks with another one have old debug registers */

	struct debug_action actions[DH_DEBUG_ACTIONS];
	size_t n_actions;
	bool refused; /* the last step was of a thread whose turn it is not */
	uint64_t until;
	bool pass[DH_DEBUG_SIGNALS]; /* signals that need no stop */

	struct dh_replay_task *current; /* the one that is shown as stopped */
	struct dh_replay_task *silent;  /* steps over a breakpoint that is not meant for it */
	struct dh_replay_task *faulted; /* stands at an instruction that raised a signal */
	siginfo_t fault;
	bool dying; /* a fatal signal has been shown */
	bool stepping;
	struct dh_step step;

	/* A stop that waits until seek.c has put the program's code in order. */
	bool waiting;
	int signal;
	struct dh_buf reason; /* key:value; pairs of the stop packet */
	siginfo_t siginfo;    /* of the signal that is shown; si_signo 0: not known */

	uint64_t tls_field; /* see debug_tls.c; 0: not known */
};

/* debug.c */
/* Instead of dh_tracee_resume(), for a task in the program's code.  May let the user look around
 * first.  -EAGAIN: inside a seek, which must take its patches out and call dh_debug_wait(). */
int dh_debug_run(struct dh_replay *r, struct dh_replay_task *t);
/* After the stop that followed.  1: it was the debugger's alone, run again; 0: go on with it;
 * -EAGAIN as above. */
int dh_debug_stopped(struct dh_replay *r, struct dh_replay_task *t, const struct dh_stop *stop);
/* The stop that dh_debug_run() or dh_debug_stopped() did not show yet. */
int dh_debug_wait(struct dh_replay *r, struct dh_replay_task *t);
/* The user steps this task through its instructions: its code must not be patched. */
bool dh_debug_steps(const struct dh_replay *r, const struct dh_replay_task *t);
/* The user watches memory: the task must not run without dh_debug_run(). */
bool dh_debug_watches(const struct dh_replay *r, const struct dh_replay_task *t);
/* Around each event.  before() returns 1 to go on and 0 when the attached process has ended;
 * after() gets the result of the event and returns its own. */
int dh_debug_before(struct dh_replay *r);
int dh_debug_after(struct dh_replay *r, int result);
/* The recording ends here: the user may still look at what is there. */
int dh_debug_end(struct dh_replay *r, const char *why);
/* A handler is about to be entered. */
struct dh_ev_signal;
int dh_debug_signal(struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_signal *ev);
/* The task is about to end with this wait status, not by its own call. */
int dh_debug_dying(struct dh_replay *r, struct dh_replay_task *t, int status);
/* The task is about to replace its image. */
void dh_debug_exec(struct dh_replay *r, struct dh_replay_task *t);
void dh_debug_free(struct dh_debug *d);

/* debug_break.c */
/* Takes the breakpoints in [addr, addr + len) out of the task's memory; they come back when one of
 * its tasks runs. */
void dh_debug_lift(struct dh_replay *r, struct dh_replay_task *t, uint64_t addr, uint64_t len);
#define DH_DEBUG_ALL 0, UINT64_MAX
/* True when a breakpoint of the user lies there. */
bool dh_debug_breaks(
	const struct dh_replay *r, const struct dh_replay_task *t, uint64_t addr, uint64_t len);

/* For the files of the debugger. */
void debug_insert(struct dh_debug *d, struct dh_replay_task *t);
struct debug_break *debug_find_break(struct dh_debug *d, uint64_t addr);
int debug_add_break(struct dh_debug *d, struct dh_replay_task *t, uint64_t addr);
void debug_remove_break(struct dh_debug *d, struct dh_replay_task *t, uint64_t addr);
/* Bytes as the program has them, without breakpoints; the number read. */
size_t debug_read(
	struct dh_debug *d, struct dh_replay_task *t, uint64_t addr, uint8_t *ret, size_t n);
int debug_add_watch(
	struct dh_debug *d, struct dh_replay_task *t, char type, uint64_t addr, uint64_t len);
void debug_remove_watch(struct dh_debug *d, char type, uint64_t addr, uint64_t len);
int debug_sync_watches(struct dh_debug *d, struct dh_replay_task *t);
/* Which watch a debug trap was for; sets *ret_other when it (also) was for slot 0. */
const struct debug_watch *debug_watch_hit(
	struct dh_debug *d, struct dh_replay_task *t, bool *ret_other);
/* A watched word that has another value than when the user looked last. */
const struct debug_watch *debug_watch_changed(struct dh_debug *d, struct dh_replay_task *t);
void debug_watch_update(struct dh_debug *d, struct dh_replay_task *t);

/* debug_task.c: what the user sees of the tasks */
/* Those of the attached process, by age; at most max; the number. */
size_t debug_tasks(const struct dh_replay *r, struct dh_replay_task **ret, size_t max);
struct dh_replay_task *debug_task(const struct dh_replay *r, uint32_t tid);
/* One that lives, for reaching the memory; NULL when there is none. */
struct dh_replay_task *debug_any_task(const struct dh_replay *r);
int debug_regs(struct dh_replay_task *t, struct dh_regs *ret);
/* The auxiliary vector, from the program's first stack. */
int debug_auxv(struct dh_replay_task *t, struct dh_buf *out);

/* debug_tls.c */
/* The address of a thread-local variable, from its module and offset: 0, -ENOTSUP, -EFAULT. */
int debug_tls(struct dh_debug *d, struct dh_replay_task *t, uint64_t link_map, uint64_t offset,
	uint64_t *ret);

/* debug_image.c: files that hold what is mapped into the process */
int debug_executable(const struct dh_replay *r, struct dh_replay_task *t, struct dh_buf *out);

/* The dynamic linker's list of what it has loaded, read from the process. */
struct debug_library {
	uint64_t at, base, dynamic; /* the entry, where the library is, its dynamic section */
	uint64_t main, next;
	int n;
};
/* 0, or -ENOENT while there is no list. */
int debug_first_library(struct dh_replay_task *t, struct debug_library *ret);
/* 1: *lib and the name are those of the next one; 0: end. */
int debug_next_library(const struct dh_replay *r, struct dh_replay_task *t,
	struct debug_library *lib, struct dh_buf *ret_name);
