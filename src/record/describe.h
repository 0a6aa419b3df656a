/* Private to this folder: what a call is about, found out at its entry and completed at its exit
 * (trace/call.h).  Only for recordings with opt->calls. */
#pragma once
#include "base/buf.h"
#include "trace/call.h"

struct recorder;
struct task;
struct dh_note;
struct dh_sys_call;

/* Of one task; the strings of `call` are in `strings`. */
struct describe {
	struct dh_ev_call call;
	struct dh_buf strings;
	size_t text_at, path_at[DH_EV_CALL_REFS], given_at[DH_EV_CALL_REFS];
};

#define DH_DESCRIBE_TEXT 1000

/* What a call says beyond its objects, from memory that it names: the lock of fcntl, the handler of
 * rt_sigaction. */
struct flock;
void dh_describe_lock(char text[DH_DESCRIBE_TEXT], const struct flock *lock);
void dh_describe_action(char text[DH_DESCRIBE_TEXT], uint64_t handler);

/* Fills t->about: number, arguments, and the objects as they are before the call. */
void dh_describe_entry(struct recorder *r, struct task *t, const struct dh_sys_call *c);
/* Adds what the call has made, and logs DH_EV_CALL. */
void dh_describe_exit(struct recorder *r, struct task *t, const struct dh_sys_call *c);
void dh_describe_release(struct task *t);
