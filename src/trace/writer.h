/* Trace writer: appends events to one recording directory, oldest first.
 * Compression and disk writes happen on a thread of the writer's own; dh_trace_writer_add() only
 * copies.  One caller thread.  After an error (full disk, I/O) the writer keeps what is already on
 * disk whole, drops the rest, counts it, and every later call returns the same -errno. */
#pragma once
#include "base/forward.h"

#include <sys/uio.h>

struct dh_trace_writer;
struct dh_trace_meta;

/* Creates dir (must not exist, or be empty) and writes the meta data into it.
 * max_size 0: keep everything; otherwise a ring of segments, see dh_trace_writer_new_segment(). */
int dh_trace_writer_open(const char *dir, const struct dh_trace_meta *meta, uint64_t max_size,
	struct dh_trace_writer **ret, struct dh_error *err);

/* Appends one event; its sequence number (from 0) is implied by the order.  0 or -errno. */
int dh_trace_writer_add(struct dh_trace_writer *w, uint16_t kind, uint32_t task,
	const struct iovec *parts, int n_parts);

/* Number of events added so far = sequence number of the next one. */
uint64_t dh_trace_writer_next_seq(const struct dh_trace_writer *w);

/* True when the ring wants a new segment: the caller then starts one and adds a checkpoint. */
bool dh_trace_writer_wants_segment(const struct dh_trace_writer *w);
/* Ends the segment; the oldest ones are deleted while the recording is larger than max_size. */
int dh_trace_writer_new_segment(struct dh_trace_writer *w);

/* Copies the file behind fd (reflink where possible) into the recording, once per content.
 * hash: XXH3-128 of the content as 32 hex digits. */
int dh_trace_writer_add_file(
	struct dh_trace_writer *w, int fd, char ret_hash[33], struct dh_error *err);

/* Everything added so far is on disk when this returns. */
int dh_trace_writer_flush(struct dh_trace_writer *w);
/* Flushes, marks the recording complete, frees.  NULL is allowed. */
int dh_trace_writer_close(struct dh_trace_writer *w, struct dh_error *err);
/* In a forked child: drop the writer without touching the file. */
void dh_trace_writer_abandon(struct dh_trace_writer *w);
