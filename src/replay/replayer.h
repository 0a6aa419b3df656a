/* Private to this folder: the replayer's state. */
#pragma once
#include "base/buf.h"
#include "base/map.h"
#include "isa/xstate.h"
#include "proc/tracee.h"
#include "replay/replay.h"
#include "sysmodel/sysmodel.h"
#include "trace/event.h"
#include "trace/reader.h"

/* Where a stopped task is.  All of these mean: every instruction before has run, none after. */
enum task_at {
	AT_USER,   /* in the program's code, ready to go on */
	AT_ENTRY,  /* at the entry of a system call that is not answered yet */
	AT_HUSK,   /* has executed the husk; its image is not built yet */
	AT_KERNEL, /* inside vfork, or at the exit of a clone whose result is not set yet */
	AT_END,    /* has ended before the checkpoint at which the replay began */
};

struct dh_patience;
struct replay_space;

struct dh_replay_task {
	struct dh_tracee t;
	uint32_t id;
	uint32_t tid, pid; /* as recorded */
	pid_t real_pid;    /* of its process here */
	enum task_at at;
	bool vfork; /* AT_KERNEL: its exit stop has not been seen yet */
	bool dead;
	struct dh_regs entry;       /* AT_KERNEL: at the entry of the call */
	uint32_t vm;                /* tasks with the same number share their memory */
	uint64_t stack;             /* where it began when the program was executed */
	uint32_t watch_version;     /* of its debug registers, see debug.h */
	struct replay_space *space; /* see buffer.c */
};

struct replay_file {
	char *path; /* to open: the original or the copy */
	char *recorded;
	char hash[33];
	const char *shown; /* one of the two, for debuggers; NULL: not decided */
};

struct dh_replay {
	struct dh_replay_options opt;
	struct dh_trace_reader *reader;
	struct dh_map tasks;    /* id -> struct dh_replay_task * */
	struct dh_map files;    /* id -> struct replay_file * */
	struct dh_map shared;   /* key -> descriptor of the memory */
	struct dh_map segments; /* start of a shared segment -> its length */
	uint32_t root;          /* task number of the first one */
	uint32_t root_pid;      /* of its process, as recorded */
	uint32_t n_vms;
	int status;
	uint64_t first, position;
	struct {
		uint64_t tasks;              /* that the checkpoint still has to describe */
		struct dh_map mms;           /* address space -> a task in it */
		struct dh_replay_task *into; /* the process whose memory comes */
		uint64_t end;                /* number of its last event, or 0 */
	} restore;
	char husk[4096];
	struct dh_replay_stats stats;
	struct dh_xstate_layout layout;
	struct dh_error *err;
	struct dh_trace_event ev; /* the one being replayed */
	struct dh_debug *debug;
	bool seeking; /* code may be patched: the debugger waits, see dh_debug_wait() */
	const struct dh_patience *patience; /* while a point is sought, or NULL */
	const struct dh_stub *stub; /* in the task's memory, and not the program's; or NULL */
};

/* replayer.c */
int dh_rpl_diverged(struct dh_replay *r, struct dh_replay_task *t, const char *fmt, ...)
	DH_PRINTF(3, 4);
int dh_rpl_damaged(struct dh_replay *r);
struct dh_replay_task *dh_rpl_task_new(
	struct dh_replay *r, uint32_t id, pid_t real, uint32_t tid, uint32_t pid);
/* A new process with the husk inside, which is all that the task is so far. */
int dh_rpl_spawn(struct dh_replay *r, uint32_t id);
int dh_rpl_writes(struct dh_replay *r, struct dh_replay_task *t, struct dh_ev_writes *w);

/* run.c: the program's own code */
/* Lets the task run until something stops it: an entry, a fault, its end. */
int dh_run_to_stop(struct dh_replay *r, struct dh_replay_task *t, struct dh_stop *ret);
/* Until the entry of call nr, with these registers (hash) and these data (0: any). */
int dh_run_to_entry(
	struct dh_replay *r, struct dh_replay_task *t, int64_t nr, uint64_t hash, uint32_t digest);
/* A system call that the replayer makes the task perform; -errno also when it fails. */
int dh_run_inject(struct dh_replay *r, struct dh_replay_task *t, int64_t *ret, int64_t nr,
	uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5);

/* call.c */
int dh_play_enter(struct dh_replay *r, struct dh_replay_task *t);
int dh_play_syscall(struct dh_replay *r, struct dh_replay_task *t);
int dh_play_clone(struct dh_replay *r, struct dh_replay_task *t);
int dh_play_exit(struct dh_replay *r, struct dh_replay_task *t);
int dh_play_write(struct dh_replay *r, struct dh_replay_task *t);

/* image.c */
int dh_play_exec(struct dh_replay *r, struct dh_replay_task *t);
int dh_play_map(struct dh_replay *r, struct dh_replay_task *t);
int dh_play_file(struct dh_replay *r);
int dh_play_shared(struct dh_replay *r, struct dh_replay_task *t);

int dh_image_unmap_all(struct dh_replay *r, struct dh_replay_task *t);
int dh_image_map(
	struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_vma *v, unsigned extra);
int dh_image_shared_fd(struct dh_replay *r, uint64_t key);
int dh_image_set_name(struct dh_replay *r, struct dh_replay_task *t, const char *name);

/* checkpoint.c */
/* Events of checkpoints: the replay begins with the first one, the others say nothing new.
 * False: the event is not one of them. */
bool dh_play_checkpoint(struct dh_replay *r, int *ret);

/* signal.c */
int dh_play_signal(struct dh_replay *r, struct dh_replay_task *t);
int dh_play_preempt(struct dh_replay *r, struct dh_replay_task *t);
int dh_play_tsc(struct dh_replay *r, struct dh_replay_task *t);
int dh_play_random(struct dh_replay *r, struct dh_replay_task *t);

/* seek.c */
/* Runs the task to the point and leaves it there. */
int dh_seek_point(struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_point *point);

/* buffer.c */
int dh_play_patch(struct dh_replay *r, struct dh_replay_task *t);
int dh_play_buffer(struct dh_replay *r, struct dh_replay_task *t);
void dh_play_buffer_exec(struct dh_replay_task *t);
void dh_play_buffer_cloned(
	struct dh_replay_task *parent, struct dh_replay_task *child, uint64_t flags);
void dh_play_buffer_release(struct dh_replay_task *t);
/* Registers behind a call that was patched after it began become those behind the patch. */
void dh_play_buffer_behind(struct dh_replay_task *t, struct dh_regs *regs);
/* At a stop: 1 when the buffer wanted something to be done for it, and it is; the task may go on.
 * 0: it is another stop. */
int dh_play_buffer_serve(struct dh_replay *r, struct dh_replay_task *t);
/* At an entry stop: -EPROTO when the buffer says that the program makes another call. */
int dh_play_buffer_check(struct dh_replay *r, struct dh_replay_task *t, const struct dh_regs *regs);
/* Runs until all records of the ring are used up. */
int dh_play_buffer_use_up(struct dh_replay *r, struct dh_replay_task *t);
/* From the entry of a trampoline's call back to where the program's own code led there: the
 * recording may have gone on without a stop. */
int dh_play_buffer_rewind(struct dh_replay *r, struct dh_replay_task *t);
