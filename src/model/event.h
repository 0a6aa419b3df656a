/* An event of one execution, as the analyses see it: who did what to which object, where.
 * Tasks, objects and places are numbers that their producer interned. */
#pragma once
#include "base/forward.h"
#include "model/site.h"

enum dh_event_kind {
	DH_EVENT_ACCESS,
	DH_EVENT_ACQUIRE, /* object: the lock; also the taking side of any other synchronisation */
	DH_EVENT_RELEASE,
	DH_EVENT_CREATE, /* object: the new task */
	DH_EVENT_JOIN,   /* object: the task that ended */
	DH_EVENT_SIGNAL, /* object: the signal's number; begin of its handler */
	DH_EVENT_SIGRETURN,
	DH_EVENT_ALLOC, /* object and access.size: the block */
	DH_EVENT_FREE,
	DH_EVENT_COUNT,
};

struct dh_event {
	enum dh_event_kind kind;
	uint32_t task;
	uint32_t place;   /* interned dh_frame or stack */
	uint32_t lockset; /* held at this moment, see lockset.h */
	uint64_t object;  /* address, lock, task: see the kind */
	struct dh_access access;
};

/* Stable names: "access", "acquire", ... */
const char *dh_event_kind_name(enum dh_event_kind kind);
/* Can the order of the two decide a result: same bytes, other tasks, at least one write? */
bool dh_event_conflicts(const struct dh_event *a, const struct dh_event *b);
