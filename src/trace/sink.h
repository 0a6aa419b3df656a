/* Where the writer's blocks go: compresses, checksums and appends them to segment files, and keeps
 * the ring within its size.  Used by the writer's thread only.  After a failed write the file is
 * cut back to its last whole block. */
#pragma once
#include "base/forward.h"

struct ZSTD_CCtx_s;

struct dh_trace_sink {
	int dir_fd, fd;
	uint64_t recording;
	uint64_t max_size; /* 0: no ring */
	bool unsynced;     /* set by the caller: nothing waits for the device */
	uint32_t oldest, segment;
	uint64_t size;   /* of the segment being written */
	uint64_t *sizes; /* of the whole segments oldest..segment-1 */
	size_t n_sizes, cap_sizes;
	uint64_t total; /* stored bytes of all segments that exist */
	uint64_t raw_written, stored_written;
	struct ZSTD_CCtx_s *zstd;
	uint8_t *out;
	size_t out_cap;
};

/* Opens the first segment in the directory (borrowed). */
int dh_trace_sink_init(struct dh_trace_sink *s, int dir_fd, uint64_t recording, uint64_t max_size);
void dh_trace_sink_release(struct dh_trace_sink *s);

/* One block of count whole events. */
int dh_trace_sink_write(struct dh_trace_sink *s, uint64_t first_seq, uint32_t count,
	const uint8_t *raw, size_t len);
/* Ends the segment and begins the next.  In a ring the oldest are deleted first, so that a quarter
 * of max_size is free for the new one; other_bytes (stored files) count but stay, and so does the
 * segment just ended, for the new one has no checkpoint yet. */
int dh_trace_sink_next_segment(struct dh_trace_sink *s, uint64_t other_bytes);
/* The mark of a proper end. */
int dh_trace_sink_end(struct dh_trace_sink *s, uint64_t total_events);
/* To the device. */
int dh_trace_sink_sync(struct dh_trace_sink *s);
