/* The blocks of a recording in order, across its segment files: headers are checked against the
 * position, data against its checksum.  The cursor tells a cut (what a killed recorder leaves at
 * the very end) from damage. */
#pragma once
#include "base/forward.h"
#include "trace/format.h"

struct ZSTD_DCtx_s;

/* A block's events, decompressed. */
struct dh_trace_data {
	uint8_t *bytes;
	size_t len, cap;
	uint64_t first_seq;
	uint32_t count;
};

struct dh_trace_blocks {
	const char *dir; /* borrowed */
	int dir_fd;
	uint64_t recording;
	uint32_t oldest, newest; /* segments that exist, without a gap */
	bool complete;           /* the newest ends with the mark of a proper end */

	/* The position. */
	int fd;
	uint32_t segment;
	uint64_t offset, size; /* in the segment, and its size */
	uint64_t next_seq;
	bool begun; /* next_seq is known */
	bool ended;
};

/* Finds the segments.  dir_fd is taken over, also on failure. */
int dh_trace_blocks_init(struct dh_trace_blocks *b, const char *dir, int dir_fd, uint64_t recording,
	struct dh_error *err);
void dh_trace_blocks_release(struct dh_trace_blocks *b);
void dh_trace_blocks_rewind(struct dh_trace_blocks *b);

/* 1: the next block's header, the position is behind the header; 0: end or cut; or -EBADMSG. */
int dh_trace_blocks_next(
	struct dh_trace_blocks *b, struct dh_trace_block *ret, struct dh_error *err);
/* After that, exactly one of these two: moves behind the block's data. */
void dh_trace_blocks_skip(struct dh_trace_blocks *b, const struct dh_trace_block *block);
int dh_trace_blocks_load(struct dh_trace_blocks *b, const struct dh_trace_block *block,
	struct ZSTD_DCtx_s *zstd, struct dh_trace_data *stored, struct dh_trace_data *ret,
	struct dh_error *err);
