/* A program under the scheduling runtime, ready to run main once per schedule.
 *
 * Usually the program is started once and waits before main; each run is a child that it forks
 * (the fork server of wire/sched.h).  Where that cannot be done, each run starts the program anew.
 * Either way begin and end look the same, so that one thread can drive several servers by poll().
 *
 * Standard output and error of the runs go to files that the host keeps, standard input is a file
 * that is rewound before each run. */
#pragma once
#include <sys/types.h>

#include "base/forward.h"
#include "fuzz/block.h"

struct dh_program;
struct dh_server;

struct dh_server_options {
	const struct dh_program *program;
	char *const *argv;
	int input;         /* standard input: seekable, or -1 for /dev/null; borrowed */
	double timeout;    /* seconds of wall time after which a run is ended */
	bool no_server;    /* start the program for each run */
	bool preload;      /* the runtime is not linked to the program: LD_PRELOAD */
	size_t max_output; /* bytes of each stream; a run that writes more is ended */
};

/* What a run is to do.  Arrays are borrowed. */
struct dh_order {
	struct dh_sched_ask ask;
	const struct dh_sched_target *targets;
	size_t n_targets;
	const struct dh_sched_step *steps;
	size_t n_steps;
};

enum dh_run_cut {
	DH_CUT_NONE,
	DH_CUT_TIME,   /* the wall time was over */
	DH_CUT_OUTPUT, /* it wrote without end */
	DH_CUT_STOP,   /* the host was told to stop */
};

/* How a run ended. */
struct dh_run {
	int status; /* as wait(2) has it; -1: not known */
	enum dh_run_cut cut;
	bool moving; /* cut by time: it still made steps */
	double seconds;
	struct dh_sched_result result;
	struct dh_sched_outcome outcome;
	size_t n_hits;
	struct dh_sched_hit hits[DH_SCHED_HITS_MAX];
	uint64_t output_hash; /* of standard output */
	size_t output_size;
};

/* Starts the program and waits until it is ready.  -ENOTSUP: it never loaded the runtime;
 * -EPROTO: the runtime in it is of another version; -ETIMEDOUT: it did not get to main. */
int dh_server_start(
	const struct dh_server_options *o, struct dh_server **ret, struct dh_error *err);
/* Ends everything that it started.  NULL is allowed. */
void dh_server_free(struct dh_server *s);

/* Begins a run; no other may be under way. */
int dh_server_begin(struct dh_server *s, const struct dh_order *order, struct dh_error *err);
/* The descriptor that becomes readable when the run is over. */
int dh_server_fd(const struct dh_server *s);
/* Looks after the run: 1 when it is over and *ret is filled, 0 when it goes on, -errno.  Ends it
 * when its time is over.  Call it at least every DH_SERVER_TICK ms, or when the descriptor is
 * readable. */
#define DH_SERVER_TICK 100
int dh_server_poll(struct dh_server *s, struct dh_run *ret, struct dh_error *err);
/* Begin, and wait for the end. */
int dh_server_run(struct dh_server *s, const struct dh_order *order, struct dh_run *ret,
	struct dh_error *err);

/* From the next run on. */
void dh_server_timeout(struct dh_server *s, double seconds);
/* What the last run left. */
struct dh_block *dh_server_block(struct dh_server *s);
/* Appends what it wrote: 1 standard output, 2 standard error; at most max bytes. */
void dh_server_output(const struct dh_server *s, int stream, size_t max, struct dh_buf *ret);
/* Its last max bytes. */
void dh_server_tail(const struct dh_server *s, int stream, size_t max, struct dh_buf *ret);
/* The file that holds it. */
int dh_server_stream(const struct dh_server *s, int stream);
/* The file that runs: not the one that was started when that is a script.  Into ret. */
const char *dh_server_program(const struct dh_server *s, char *ret, size_t size);
/* The process that waits before main; 0: none. */
pid_t dh_server_pid(const struct dh_server *s);
/* True when it forks its runs. */
bool dh_server_forks(const struct dh_server *s);

/* From a signal handler: all runs end as soon as they are looked after. */
void dh_server_stop_all(int sig);
bool dh_server_stopped(void);
/* Takes it back: what little is left may be run. */
void dh_server_go_on(void);
