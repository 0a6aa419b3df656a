/* What a system call was about: DH_EV_CALL, written for recordings that are made for exploring.
 * A syscall event has what a replay needs, which is neither the arguments nor the objects: the
 * replay meets them again.  This event has both, resolved at the moment of the call, so that
 * processes of one recording can be compared without replaying it.
 *
 * It stands behind the event of the call itself (syscall, map, exec, buffer), and before the exit
 * event for calls that do not return.  Calls that concern nobody but their process and do not wait
 * (dh_sysmodel_silent) have none.  Decoded payloads borrow their strings from the event. */
#pragma once
#include "base/forward.h"
#include "model/objref.h"

struct dh_trace_event;

/* One object that the call names. */
struct dh_ev_ref {
	enum dh_ref_role role;
	int fd;        /* the descriptor, or -1 */
	uint32_t mode; /* st_mode when the call began (ended, for new ones); 0: not there */
	uint64_t dev, ino, birth_ns, rdev;
	uint64_t size;
	/* Absolute, all links resolved but a last one that the call does not follow; "" for what
	 * has no name.  What is missing of it is appended as the call had it. */
	const char *path;
	/* The path as the call had it, made absolute, when links make it another one; or "". */
	const char *given;
};

#define DH_EV_CALL_REFS 6

struct dh_ev_call {
	int64_t nr;
	uint64_t arg[6];
	int64_t result;       /* not valid at the entry of a live call */
	uint64_t entered;     /* the number of the first event that was logged after its entry */
	uint64_t entered_nth; /* orders those with the same number: larger is later */
	/* The same for its end, when the event stands far behind it: calls that did not stop.  0:
	 * the event stands where the call was over. */
	uint64_t left, left_nth;
	uint64_t value;   /* what it returned through memory: the process of waitid */
	const char *text; /* arguments of exec, address of a socket, ... or "" */
	uint32_t n_refs;
	struct dh_ev_ref refs[DH_EV_CALL_REFS];
};

void dh_ev_put_call(struct dh_buf *out, const struct dh_ev_call *e);
/* 0, or -EBADMSG when the payload is not whole. */
int dh_ev_get_call(const struct dh_trace_event *ev, struct dh_ev_call *ret);

/* The ref with that role, or NULL. */
const struct dh_ev_ref *dh_ev_call_ref(const struct dh_ev_call *c, enum dh_ref_role role);
