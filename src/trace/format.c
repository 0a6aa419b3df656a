#include "trace/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* The second byte is not ASCII and the last two are a line end, as in PNG: a transfer in text mode
 * or to seven bits is noticed at once. */
static const uint8_t magic[4] = {'D', 0xd4, '\r', '\n'};

static void put16(uint8_t *to, uint16_t v)
{
	to[0] = (uint8_t)v;
	to[1] = (uint8_t)(v >> 8);
}

static void put32(uint8_t *to, uint32_t v)
{
	put16(to, (uint16_t)v);
	put16(to + 2, (uint16_t)(v >> 16));
}

static void put64(uint8_t *to, uint64_t v)
{
	put32(to, (uint32_t)v);
	put32(to + 4, (uint32_t)(v >> 32));
}

static uint16_t get16(const uint8_t *from)
{
	return (uint16_t)(from[0] | from[1] << 8);
}

static uint32_t get32(const uint8_t *from)
{
	return get16(from) | (uint32_t)get16(from + 2) << 16;
}

static uint64_t get64(const uint8_t *from)
{
	return get32(from) | (uint64_t)get32(from + 4) << 32;
}

void dh_trace_block_encode(const struct dh_trace_block *b, uint8_t to[DH_TRACE_BLOCK_SIZE])
{
	memcpy(to, magic, 4);
	put16(to + 4, b->version);
	put16(to + 6, b->type);
	put64(to + 8, b->recording);
	put32(to + 16, b->segment);
	put32(to + 20, b->count);
	put64(to + 24, b->first_seq);
	put32(to + 32, b->raw_len);
	put32(to + 36, b->stored_len);
	put64(to + 40, b->data_hash);
	put64(to + 48, XXH3_64bits(to, 48));
}

static bool lengths_valid(const struct dh_trace_block *b)
{
	switch (b->type) {
	case DH_TRACE_BLOCK_END:
		return b->count == 0 && b->raw_len == 0 && b->stored_len == 0;
	case DH_TRACE_BLOCK_RAW:
		if (b->stored_len != b->raw_len)
			return false;
		break;
	case DH_TRACE_BLOCK_ZSTD:
		if (b->stored_len == 0 || b->stored_len >= b->raw_len)
			return false;
		break;
	default:
		return false;
	}
	/* The smallest event takes three bytes. */
	if (b->count == 0 || b->raw_len / 3 < b->count)
		return false;
	if (b->raw_len <= DH_TRACE_BLOCK_MAX)
		return true;
	return b->count == 1 && b->raw_len <= DH_TRACE_EVENT_MAX + DH_TRACE_HEAD_MAX;
}

int dh_trace_block_decode(const uint8_t from[DH_TRACE_BLOCK_SIZE], struct dh_trace_block *ret)
{
	struct dh_trace_block b = {
		.version = get16(from + 4),
		.type = get16(from + 6),
		.recording = get64(from + 8),
		.segment = get32(from + 16),
		.count = get32(from + 20),
		.first_seq = get64(from + 24),
		.raw_len = get32(from + 32),
		.stored_len = get32(from + 36),
		.data_hash = get64(from + 40),
	};

	if (memcmp(from, magic, 4) != 0)
		return -ENOMSG;
	if (b.version != DH_TRACE_FORMAT) {
		ret->version = b.version;
		return -EPROTO;
	}
	if (XXH3_64bits(from, 48) != get64(from + 48) || !lengths_valid(&b) ||
		b.first_seq + b.count < b.first_seq)
		return -EBADMSG;
	*ret = b;
	return 0;
}

void dh_trace_segment_name(uint32_t segment, char name[DH_TRACE_SEGMENT_NAME])
{
	snprintf(name, DH_TRACE_SEGMENT_NAME, "events.%06u", segment % DH_TRACE_SEGMENTS);
}

int64_t dh_trace_segment_number(const char *name)
{
	if (strncmp(name, "events.", 7) != 0 || strlen(name) != 13 ||
		strspn(name + 7, "0123456789") != 6)
		return -1;
	return strtol(name + 7, NULL, 10);
}

const uint8_t *dh_trace_get_number(const uint8_t *from, const uint8_t *end, uint32_t *ret)
{
	uint64_t v = 0;

	for (int shift = 0; shift < 35; shift += 7) {
		if (from == end)
			return NULL;
		v |= (uint64_t)(*from & 0x7f) << shift;
		if (*from++ & 0x80)
			continue;
		if (v > UINT32_MAX)
			return NULL;
		*ret = (uint32_t)v;
		return from;
	}
	return NULL;
}
