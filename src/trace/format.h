/* The recording on disk.  A directory with
 *
 *   meta.json       who recorded what, where (meta.h)
 *   events.000000   segments of the one stream of events: a sequence of blocks
 *   events.000001   ...
 *   files/<hash>    contents of files that the recorded programs mapped (files.h)
 *
 * One totally ordered stream, rather than one per thread: any prefix of it is a consistent prefix
 * of the whole execution, so wherever the recorder, the disk or the machine ended it, what can be
 * read can be replayed.  With one stream per thread a cut would leave each at another moment, and
 * the order between them would need an index that can itself be cut.
 *
 * A block is a header and up to DH_TRACE_BLOCK_MAX bytes of events, compressed when that helps.
 * Blocks are checksummed and hold whole events only; an event that is larger than a block has one
 * of its own.  Numbers are little endian.  An event is three base-128 numbers (kind, task, length)
 * and its bytes; its sequence number is its position in the stream.
 *
 * Any change of this bumps DH_TRACE_FORMAT. */
#pragma once
#include "base/forward.h"

#define DH_TRACE_FORMAT     4
#define DH_TRACE_BLOCK_MAX  (256u << 10) /* raw bytes in a block of several events */
#define DH_TRACE_EVENT_MAX  (1u << 30)   /* payload of one event */
#define DH_TRACE_HEAD_MAX   13           /* an event's three numbers */
#define DH_TRACE_SEGMENTS   1000000      /* six digits in the file name */
#define DH_TRACE_BLOCK_SIZE 56           /* a block header on disk */

enum dh_trace_block_type {
	DH_TRACE_BLOCK_RAW,
	DH_TRACE_BLOCK_ZSTD,
	DH_TRACE_BLOCK_END, /* no data; the recorder ended properly, first_seq is the total */
};

struct dh_trace_block {
	uint16_t version;
	uint16_t type;
	uint64_t recording; /* the id in the meta data: parts of two recordings never mix */
	uint32_t segment;
	uint32_t count; /* events */
	uint64_t first_seq;
	uint32_t raw_len, stored_len;
	uint64_t data_hash; /* XXH3-64 of the stored bytes */
};

/* Header to and from its bytes.  Reading: 0, -ENOMSG when there is no header at all (magic),
 * -EPROTO when it has another version (*ret has only that), -EBADMSG when the checksum is wrong or
 * a length is out of bounds. */
void dh_trace_block_encode(const struct dh_trace_block *b, uint8_t to[DH_TRACE_BLOCK_SIZE]);
int dh_trace_block_decode(const uint8_t from[DH_TRACE_BLOCK_SIZE], struct dh_trace_block *ret);

/* "events.000012" into name; number of a file of that form, or -1. */
#define DH_TRACE_SEGMENT_NAME 16
void dh_trace_segment_name(uint32_t segment, char name[DH_TRACE_SEGMENT_NAME]);
int64_t dh_trace_segment_number(const char *name);

/* Base-128, low bits first; returns the end of what was written. */
static inline uint8_t *dh_trace_put_number(uint8_t *to, uint32_t v)
{
	while (v >= 0x80) {
		*to++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*to++ = (uint8_t)v;
	return to;
}

/* Returns what follows the number, or NULL when it is cut or does not fit. */
const uint8_t *dh_trace_get_number(const uint8_t *from, const uint8_t *end, uint32_t *ret);
