/* Private to this folder: the connection to a gdb that this module starts, and its packets.
 * gdb talks through a Unix socket in a directory that only the user can enter and that is gone as
 * soon as gdb has connected.  What gdb sends is bounded and checked like any other input. */
#pragma once
#include "base/buf.h"

#include <sys/types.h>

#define DH_GDB_PACKET 0x4000 /* the largest packet in either direction */

struct dh_gdb {
	int fd;
	pid_t child;
	int status;     /* of the child once it has ended; -1 before */
	bool no_acks;   /* packets are not acknowledged any more */
	bool interrupt; /* the user wants the running process to stop */
	struct dh_buf in;
};

#define DH_GDB_INIT ((struct dh_gdb){.fd = -1, .status = -1})

/* Starts gdb with these further arguments (NULL: none) and waits until it has connected. */
int dh_gdb_start(struct dh_gdb *g, char *const *args, struct dh_error *err);
void dh_gdb_close(struct dh_gdb *g);
/* Closes the connection and waits for gdb to end: its wait status, -1 when it never started. */
int dh_gdb_wait(struct dh_gdb *g);

/* gdb.c */
/* The next packet, without frame; 0, 1: an interrupt came instead, -ECANCELED: gdb is gone. */
int dh_gdb_read(struct dh_gdb *g, struct dh_buf *ret);
int dh_gdb_send(struct dh_gdb *g, const struct dh_buf *packet);
/* Text for the user's terminal; only while the process runs. */
int dh_gdb_say(struct dh_gdb *g, const char *text);
int dh_gdb_say_exit(struct dh_gdb *g, int wait_status);

/* While a thread runs, input from gdb interrupts it (by SIGIO, whose handler this installs). */
void dh_gdb_watch_input(struct dh_gdb *g);
void dh_gdb_begin_run(pid_t tid);
/* True when the thread was interrupted, perhaps too late. */
bool dh_gdb_end_run(void);
/* 1: yes; 0: no; -ECANCELED: gdb is gone. */
int dh_gdb_interrupted(struct dh_gdb *g);
void dh_gdb_clear_interrupt(struct dh_gdb *g);

void dh_gdb_add_hex(struct dh_buf *b, const void *p, size_t n);
/* Reads hexadecimal digits at *at and moves behind them; false when there are none, or too many. */
bool dh_gdb_take_hex(const char **at, uint64_t *ret);
/* Decodes a string of digit pairs that ends the packet; -EINVAL when it is none. */
int dh_gdb_take_bytes(const char *at, struct dh_buf *ret);
/* Signal numbers of the protocol are gdb's own. */
int dh_gdb_signal_to(int sig);
int dh_gdb_signal_from(int sig);
