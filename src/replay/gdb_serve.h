/* Private to this folder: gdb's remote serial protocol, on a replay that is stopped. */
#pragma once
#include "base/buf.h"

struct dh_replay;

/* Tells gdb why the process has stopped (struct dh_debug: current, signal, reason), then answers
 * its packets until the process is to go on.  0, or -ECANCELED when the user has ended it. */
int dh_gdb_serve(struct dh_replay *r);
/* The same for the first time, when gdb asks by itself. */
int dh_gdb_greet(struct dh_replay *r);

/* One conversation. */
struct gdb_serve {
	struct dh_replay *r;
	struct dh_debug *d;
	struct dh_replay_task *thread; /* that registers are read of */
	const struct dh_buf *packet;
	struct dh_buf reply;
};

/* What to do after a packet. */
enum gdb_next {
	GDB_REPLY,   /* send the reply, empty when the packet is not supported */
	GDB_RESUME,  /* send nothing: the process runs */
	GDB_DETACH,  /* send the reply, then the replay goes on alone */
	GDB_KILL,    /* the user has ended it */
	GDB_STOPPED, /* say again why the process has stopped */
};

/* gdb_query.c: packets that begin with q and Q; args begin behind the name. */
enum gdb_next gdb_query(struct gdb_serve *s, const char *packet);
void gdb_error(struct gdb_serve *s, const char *text);
