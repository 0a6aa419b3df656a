/* Events between the caller of the writer and the disk: the caller's thread appends to the last
 * chunk of a list, a thread of the queue's own takes blocks off the front and gives them to the
 * sink.  What is published in a chunk never changes, so appending takes no lock; only handing
 * over a full chunk does.
 *
 * Functions are for the caller's thread unless they say otherwise.  The first error of the sink
 * sticks: the thread then only empties the queue. */
#pragma once
#include "base/forward.h"
#include "trace/sink.h"

#include <pthread.h>
#include <sys/uio.h>

struct dh_trace_chunk;

struct dh_trace_queue {
	/* The caller's thread alone. */
	struct dh_trace_chunk *tail;
	uint32_t len, count; /* published in tail */
	uint64_t next_seq;
	uint64_t raw_added;

	_Atomic int error; /* 0 or a negative errno; set with the lock held */

	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work; /* to the thread */
	pthread_cond_t done; /* to the caller */

	/* Under the lock. */
	struct dh_trace_chunk *head; /* the oldest; the last in the list is tail, still open */
	struct dh_trace_chunk *spare;
	unsigned n_spare;
	uint64_t queued; /* bytes of closed chunks */
	bool flush, stop;
	uint64_t other_bytes; /* stored beside the segments, counts in a ring */
	uint64_t written_seq; /* first event that is not on disk */
	uint64_t raw_written, stored_written;
	uint32_t segment; /* that the thread is in */
	uint64_t segment_raw, segment_stored;

	struct dh_trace_sink sink; /* the thread alone, once it runs */
};

/* Takes over the sink, also on failure. */
int dh_trace_queue_init(struct dh_trace_queue *q, struct dh_trace_sink *sink);
/* Writes the rest, ends the thread; then, without an error, marks the recording complete.
 * Returns the error that stuck. */
int dh_trace_queue_stop(struct dh_trace_queue *q);
/* After dh_trace_queue_stop() or a failed dh_trace_queue_init(). */
void dh_trace_queue_release(struct dh_trace_queue *q);

int dh_trace_queue_error(const struct dh_trace_queue *q);
/* Makes an error of the caller's stick, unless there is one already. */
void dh_trace_queue_fail(struct dh_trace_queue *q, int error);

/* Appends an event of len payload bytes (at most DH_TRACE_EVENT_MAX) in parts.  Waits while too
 * much is queued.  0 or the error that stuck. */
int dh_trace_queue_add(struct dh_trace_queue *q, uint16_t kind, uint32_t task, size_t len,
	const struct iovec *parts, int n_parts);
/* What follows goes to the next segment. */
int dh_trace_queue_end_segment(struct dh_trace_queue *q);
/* Returns when everything is on the device. */
int dh_trace_queue_flush(struct dh_trace_queue *q);
