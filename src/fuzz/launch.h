/* Starting the program under test, and ending it for good. */
#pragma once
#include <sys/types.h>

#include "base/forward.h"

struct dh_block;
struct dh_program;

struct dh_launch {
	const struct dh_program *program;
	char *const *argv;
	int input;              /* -1: /dev/null */
	int output, errors;     /* -1: ours */
	struct dh_block *block; /* NULL: the program runs undisturbed */
	bool server;            /* it is to become a fork server */
	bool preload;           /* the runtime by LD_PRELOAD */
};

struct dh_launched {
	pid_t pid;    /* 0: none; leader of its own process group */
	int to, from; /* pipes to and from the server; else from is a descriptor of the process
		       * that becomes readable when it ends */
};

#define DH_LAUNCHED_INIT ((struct dh_launched){0, -1, -1})

int dh_launch(const struct dh_launch *l, struct dh_launched *ret, struct dh_error *err);
/* What the program's environment is to be: "NAME=value" strings that override; ended by NULL, the
 * caller frees each and the array. */
char **dh_launch_environment(const struct dh_program *p, int block_fd, bool preload);
/* Waits for its end; the status. */
int dh_launched_wait(struct dh_launched *l);
/* Ends it and, when run is not 0, the process group of that run first; the status. */
int dh_launched_kill(struct dh_launched *l, pid_t run);
/* Ends a run of a server: run is what the control block says, and is not believed. */
void dh_launched_kill_run(const struct dh_launched *l, pid_t run);
/* For programs that put themselves into the background: from now on what they leave comes to us.
 * ret is the line of our children at this moment. */
void dh_launch_adopt(struct dh_buf *ret);
/* Ends every child that is not named in that line. */
void dh_launch_end_adopted(const struct dh_buf *before);
