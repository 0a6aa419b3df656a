/* A recording as explore sees it: processes, their calls with the objects that they touch, and the
 * partial order.  Built from the DH_EV_CALL events of a recording that was made for exploring
 * (trace/call.h); all strings are in its arena.  Read-only once it is built. */
#pragma once
#include "base/arena.h"
#include "base/map.h"
#include "explore/porder.h"
#include "explore/race.h"
#include "trace/call.h"

#define DH_NO_TASK UINT32_MAX

struct dh_hist_process {
	uint32_t pid;
	uint32_t parent;   /* index, or DH_NO_TASK for the first */
	uint32_t n_images; /* what it executed, in order; none: what its parent was */
	struct {
		const char *command; /* the whole command line */
		const char *path;    /* of the executable */
		uint32_t from;       /* from this call on */
	} * images;
	uint32_t cap_images;
	int status;   /* as wait gives it; -1: it was still running at the end */
	uint32_t end; /* the call that it ended with, or DH_NO_CALL */
};

/* A thread.  Its place in the tree names it over executions: the nth child of its parent. */
struct dh_hist_task {
	uint32_t id; /* the recorder's number */
	uint32_t tid;
	uint32_t process;
	uint32_t parent; /* index, or DH_NO_TASK */
	uint32_t nth;    /* which clone of the parent made it, from 0 */
	uint32_t n_clones;
};

enum dh_hist_op { DH_HIST_LOAD, DH_HIST_STORE };

/* One micro-operation (RacePro, section 5.2). */
struct dh_hist_access {
	uint32_t object;
	uint32_t call;
	uint8_t op;
	bool sync;         /* atomic by design: exclusive creation, append */
	uint64_t from, to; /* bytes [from, to) */
};

/* The aspect of a process that changes when it executes something. */
#define DH_ASPECT_SHOWN "what others see of it"

struct dh_hist_object {
	enum dh_race_what what;
	bool commutes;      /* stores do not conflict with each other, only with loads */
	bool order_only;    /* no race: what has touched it is made again in the same order */
	const char *name;   /* for people: "/tmp/x.pid", "the pipe between 12 and 13" */
	const char *aspect; /* "name", "contents", "mode", ... */
};

/* What a call got from outside, the same bytes of which make the same execution: the time, random
 * bytes. */
struct dh_hist_given {
	bool time; /* bytes are as the call writes them */
	int64_t result;
	uint32_t n;
	uint8_t bytes[];
};

struct dh_hist_call {
	const struct dh_ev_call *ev; /* nr -1: the end of a task by a signal */
	uint32_t task;
	uint64_t key; /* what it is, the same in every execution: see dh_hist_key() */
	uint32_t first_access, n_accesses;
	const struct dh_hist_given *given; /* or NULL */
};

/* A signal that reached a task: a handler was entered, or the task ended. */
struct dh_hist_signal {
	uint32_t sender; /* a call: kill, or the end of a child */
	uint32_t task;
	uint32_t index; /* of the task's call that it interrupted, or that came next */
	int sig;
	bool interrupted;
	bool blocked; /* but for the call that it interrupted, which let it in */
	uint64_t seq;
};

/* A read that took what several calls wrote: it could have gone on without the last one. */
struct dh_hist_span {
	uint32_t wakeup, wait;
};

struct dh_history {
	struct dh_arena arena;
	struct dh_hist_process *processes;
	struct dh_hist_task *tasks;
	struct dh_hist_object *objects;
	struct dh_hist_access *accesses; /* by call */
	struct dh_hist_call *calls;      /* numbered as in order */
	uint32_t n_processes, n_tasks, n_objects;
	uint32_t n_accesses, n_calls;
	struct dh_hist_signal *signals;
	uint32_t n_signals;
	struct dh_hist_span *spans;
	uint32_t n_spans;
	struct dh_porder order;
};

/* 0 or -errno: -ENODATA with words when the recording lacks the descriptions of its calls. */
int dh_history_load(const char *dir, struct dh_history **ret, struct dh_error *err);
void dh_history_free(struct dh_history *h);

/* What a call is, independent of the execution: number, paths, kinds of descriptors, but neither
 * addresses nor process ids.  A live call at its entry and the recorded one have the same key. */
uint64_t dh_hist_key(const struct dh_ev_call *c);

/* The command line that the call's process was running. */
const char *dh_history_command(const struct dh_history *h, uint32_t call);
/* The executable that it was running, or NULL. */
const char *dh_history_program(const struct dh_history *h, uint32_t call);
/* Appends the call in words: `unlink "/var/x.db"`. */
void dh_history_describe(const struct dh_history *h, uint32_t call, struct dh_buf *out);
