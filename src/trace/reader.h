/* Trace reader: walks one recording, oldest event first.
 * Owns the descriptors and two decompressed blocks at a time, however long the recording is.
 * Trusts nothing on disk: checksums, lengths and the order of blocks are checked, and no byte of a
 * damaged block is ever returned.  One thread only.  Never logs; callers report. */
#pragma once
#include "base/forward.h"

struct dh_trace_reader;
struct dh_trace_meta;

struct dh_trace_event {
	uint64_t seq;
	uint16_t kind;
	uint32_t task;
	const uint8_t *data; /* borrowed, not aligned; valid until the next call to next() */
	size_t len;
};

/* 0 or -errno: -EPROTO the version is not known, -EBADMSG damaged, -ENOENT no recording there. */
int dh_trace_reader_open(const char *dir, struct dh_trace_reader **ret, struct dh_error *err);
const struct dh_trace_meta *dh_trace_reader_meta(const struct dh_trace_reader *r);
const char *dh_trace_reader_dir(const struct dh_trace_reader *r);

/* 1: *ret filled; 0: end; -EBADMSG: damaged block (its file and offset in err); what came before
 * is a valid prefix of the recording.  Errors repeat until rewind. */
int dh_trace_reader_next(
	struct dh_trace_reader *r, struct dh_trace_event *ret, struct dh_error *err);
/* The next event without taking it; its data stays valid until next() has returned the one after.
 */
int dh_trace_reader_peek(
	struct dh_trace_reader *r, struct dh_trace_event *ret, struct dh_error *err);
/* Back to the first event (of the oldest segment). */
int dh_trace_reader_rewind(struct dh_trace_reader *r, struct dh_error *err);

/* False when the recorder did not end properly (killed, full disk): the end is then a cut. */
bool dh_trace_reader_complete(const struct dh_trace_reader *r);
/* Path of a file stored by dh_trace_writer_add_file(); the content is verified on first use. */
int dh_trace_reader_file(
	struct dh_trace_reader *r, const char *hash, const char **ret_path, struct dh_error *err);

struct dh_trace_reader_stats {
	uint64_t first_seq; /* not 0 when a ring has dropped the beginning */
	uint64_t events;
	uint64_t blocks;
	uint64_t raw_bytes, stored_bytes;
	uint32_t segments;
};
/* Adds up the headers of all blocks without reading the data, so damaged data is not noticed;
 * a damaged header is -EBADMSG.  The position does not change. */
int dh_trace_reader_stats(
	struct dh_trace_reader *r, struct dh_trace_reader_stats *ret, struct dh_error *err);

void dh_trace_reader_free(struct dh_trace_reader *r);
