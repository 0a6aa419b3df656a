/* Private to this folder: how the payloads of events are written and read.
 * Numbers are LEB128 varints, signed ones zigzagged; byte strings carry their length. */
#pragma once
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "trace/reader.h"

static inline void put(struct dh_buf *b, uint64_t v)
{
	uint8_t *p = dh_buf_reserve(b, 10);
	size_t n = 0;

	do {
		p[n++] = (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
		v >>= 7;
	} while (v);
	b->len += n;
}

static inline void put_signed(struct dh_buf *b, int64_t v)
{
	put(b, ((uint64_t)v << 1) ^ (uint64_t)(v >> 63));
}

static inline void put_fixed(struct dh_buf *b, uint64_t v)
{
	dh_buf_add(b, &v, sizeof(v));
}

static inline void put_bytes(struct dh_buf *b, const void *p, uint64_t n)
{
	put(b, n);
	dh_buf_add(b, p, n);
}

static inline void put_string(struct dh_buf *b, const char *s)
{
	put_bytes(b, s, strlen(s) + 1);
}

/* A decoder that has failed once stays failed and yields zeros: one check at the end is enough. */
struct in {
	const uint8_t *at, *end;
	bool bad;
};

static inline uint64_t get(struct in *i)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64 && i->at < i->end; shift += 7) {
		uint8_t c = *i->at++;

		v |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return v;
	}
	i->bad = true;
	return 0;
}

static inline int64_t get_signed(struct in *i)
{
	uint64_t v = get(i);

	return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

static inline const uint8_t *get_raw(struct in *i, uint64_t n)
{
	const uint8_t *p = i->at;

	if (i->bad || n > (uint64_t)(i->end - i->at)) {
		i->bad = true;
		return NULL;
	}
	i->at += n;
	return p;
}

static inline uint64_t get_fixed(struct in *i)
{
	const uint8_t *p = get_raw(i, sizeof(uint64_t));
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return v;
}

static inline const uint8_t *get_bytes(struct in *i, uint64_t *ret_n)
{
	uint64_t n = get(i);
	const uint8_t *p = get_raw(i, n);

	*ret_n = p ? n : 0;
	return p;
}

static inline const char *get_string(struct in *i)
{
	uint64_t n;
	const uint8_t *p = get_bytes(i, &n);

	if (!p || n == 0 || p[n - 1] != '\0') {
		i->bad = true;
		return "";
	}
	return (const char *)p;
}

static inline struct in open_event(const struct dh_trace_event *ev)
{
	return (struct in){.at = ev->data, .end = ev->data + ev->len};
}

static inline int done(const struct in *i)
{
	return i->bad ? -EBADMSG : 0;
}
