/* Trace reader: walks one recording, oldest event first.
 * Owns the file mappings.  One thread only.  Never logs; callers report. */
#pragma once
#include "base/forward.h"

struct dh_trace_reader;
struct dh_trace_meta;

struct dh_trace_event {
	uint64_t seq;
	uint16_t kind;
	uint32_t task;
	const uint8_t *data; /* borrowed; valid until the next call to next() */
	size_t len;
};

/* 0 or -errno: -EPROTO the version is not known, -EBADMSG damaged, -ENOENT no recording there. */
int dh_trace_reader_open(const char *dir, struct dh_trace_reader **ret, struct dh_error *err);
const struct dh_trace_meta *dh_trace_reader_meta(const struct dh_trace_reader *r);

/* 1: *ret filled; 0: end; -EBADMSG: damaged block (its file and offset in err); what came before
 * is a valid prefix of the recording. */
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

void dh_trace_reader_free(struct dh_trace_reader *r);
