/* Trace writer: appends events to one recording directory, oldest first.
 * Compression and disk writes happen on a thread of the writer's own; dh_trace_writer_add() only
 * copies.  One caller thread.  After an error (full disk, I/O) the writer keeps what is already on
 * disk whole, drops the rest, counts it, and every later call returns the same -errno.
 *
 * An event is on its way to the disk at most about 200 ms after it was added, also when no other
 * follows: killing the recorder loses no more than that.  When the disk is slower than the caller,
 * dh_trace_writer_add() waits once 64 MiB are queued.
 *
 * The thread blocks all signals and keeps the CPU affinity that the caller has at open. */
#pragma once
#include "base/forward.h"

#include <sys/uio.h>

struct dh_trace_writer;
struct dh_trace_meta;

/* Creates dir (must not exist, or be empty) and writes the meta data into it.  Id, tool version
 * and time are filled in.
 * max_size 0: keep everything; otherwise a ring of segments, see dh_trace_writer_new_segment();
 * at least DH_TRACE_RING_MIN. */
#define DH_TRACE_RING_MIN (1u << 20)
int dh_trace_writer_open(const char *dir, const struct dh_trace_meta *meta, uint64_t max_size,
	struct dh_trace_writer **ret, struct dh_error *err);

/* Appends one event; its sequence number (from 0) is implied by the order.  0 or -errno;
 * -E2BIG (more than 1 GiB) leaves the writer as it was. */
int dh_trace_writer_add(struct dh_trace_writer *w, uint16_t kind, uint32_t task,
	const struct iovec *parts, int n_parts);

/* Number of events added so far = sequence number of the next one. */
uint64_t dh_trace_writer_next_seq(const struct dh_trace_writer *w);

/* True when the ring wants a new segment: the caller then starts one and adds a checkpoint. */
bool dh_trace_writer_wants_segment(struct dh_trace_writer *w);
/* Ends the segment; the oldest ones are deleted, so that the recording (stored files included)
 * stays below max_size.  The one just ended stays until the next has ended too. */
int dh_trace_writer_new_segment(struct dh_trace_writer *w);

/* Copies the file behind fd (reflink where possible) into the recording, once per content.
 * hash: XXH3-128 of the content as 32 hex digits. */
int dh_trace_writer_add_file(
	struct dh_trace_writer *w, int fd, char ret_hash[33], struct dh_error *err);

struct dh_trace_writer_stats {
	uint64_t events;       /* on disk */
	uint64_t dropped;      /* after an error */
	uint64_t raw_bytes;    /* of the events on disk */
	uint64_t stored_bytes; /* the same, compressed and with block headers */
	uint64_t file_bytes;
	uint32_t segments; /* begun so far, deleted ones included */
};
void dh_trace_writer_stats(struct dh_trace_writer *w, struct dh_trace_writer_stats *ret);

/* Everything added so far is on disk when this returns, or with DH_TRACE_UNSYNCED on its way. */
int dh_trace_writer_flush(struct dh_trace_writer *w);
/* Flushes, marks the recording complete, frees.  After an error: that error, with words about what
 * is on disk and what is not; the recording is then not marked complete.  NULL is allowed. */
int dh_trace_writer_close(struct dh_trace_writer *w, struct dh_error *err);
/* In a forked child, where the thread does not exist: closes the writer's descriptors without
 * touching the recording.  Frees nothing (the thread may have held the lock), so it is fine after
 * vfork() too; for children that go on to exec or _exit. */
void dh_trace_writer_abandon(const struct dh_trace_writer *w);
