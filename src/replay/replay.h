/* Replayer: runs a recording again, exactly, without touching files, network or other processes.
 * Every process of the recording is a real process here, but what came from outside comes from the
 * log.  Tasks run one at a time, in the order of the log.  Never prints, except that the program's
 * own output goes to the descriptors given. */
#pragma once
#include "base/forward.h"

#include <sys/types.h>

struct dh_replay;
struct dh_tracee;
struct dh_replay_task;

struct dh_replay_options {
	int out_fd, err_fd; /* where the program's output goes; -1: nowhere */
	uint64_t until;     /* stop before this event; UINT64_MAX: to the end */
	bool any_machine;   /* do not refuse a recording of another kind of machine */
	bool no_patch;      /* leave the program's code alone: slower, for programs that check it */
};

struct dh_replay_stats {
	uint64_t events, points;
	uint64_t traps, false_matches; /* while looking for points */
	uint64_t buffered;             /* calls that did not stop */
};

int dh_replay_open(const char *dir, const struct dh_replay_options *opt, struct dh_replay **ret,
	struct dh_error *err);

struct dh_debug_options {
	uint32_t pid;      /* which process, as recorded; 0: the first */
	bool at_fork;      /* from its beginning, because it never executes another program */
	char *const *args; /* further arguments for gdb, ended by NULL; or NULL */
};
/* Before the first event: gdb is started when the process begins to run, and decides from then on
 * where it pauses.  *opt must stay. */
void dh_replay_debug(struct dh_replay *r, const struct dh_debug_options *opt);
/* False when the process has not appeared (yet). */
bool dh_replay_debugged(const struct dh_replay *r);
/* At the end: waits for gdb to end.  Its wait status, -1 when it did not run. */
int dh_replay_debug_wait(struct dh_replay *r);

/* Replays one event.  1: done; 0: the end (or options.until) is reached; -EBADMSG: damaged;
 * -EPROTO: the program did not do what the recording says (err tells where); -ECANCELED: the user
 * has left the debugger; -errno. */
int dh_replay_next(struct dh_replay *r, struct dh_error *err);

/* The number of the first event: not 0 when a ring has dropped what was before. */
uint64_t dh_replay_first(const struct dh_replay *r);
/* The number of the next event. */
uint64_t dh_replay_position(const struct dh_replay *r);
/* Wait status of the recorded first process; -1 when the recording ends before it. */
int dh_replay_status(const struct dh_replay *r);
bool dh_replay_complete(const struct dh_replay *r);
struct dh_replay_stats dh_replay_stats(const struct dh_replay *r);
void dh_replay_free(struct dh_replay *r);
