#include "trace/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "trace/format.h"

/* Fast enough to keep up with memory copies of events; higher levels gain little on them. */
#define LEVEL 1
/* Kept between blocks; what a rare giant event needed is given back. */
#define OUT_KEEP (1u << 20)

static int open_segment(struct dh_trace_sink *s)
{
	char name[DH_TRACE_SEGMENT_NAME];

	if (s->segment >= DH_TRACE_SEGMENTS)
		return -EOVERFLOW;
	dh_trace_segment_name(s->segment, name);
	s->fd = openat(s->dir_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	s->size = 0;
	return s->fd < 0 ? -errno : 0;
}

int dh_trace_sink_init(struct dh_trace_sink *s, int dir_fd, uint64_t recording, uint64_t max_size)
{
	*s = (struct dh_trace_sink){
		.dir_fd = dir_fd, .fd = -1, .recording = recording, .max_size = max_size};
	s->zstd = ZSTD_createCCtx();
	if (!s->zstd)
		return -ENOMEM;
	ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_compressionLevel, LEVEL);
	return open_segment(s);
}

void dh_trace_sink_release(struct dh_trace_sink *s)
{
	dh_closep(&s->fd);
	ZSTD_freeCCtx(s->zstd);
	free(s->sizes);
	free(s->out);
	*s = (struct dh_trace_sink){.dir_fd = -1, .fd = -1};
}

/* Appends both parts, or nothing: a partial block (full disk) is cut off again. */
static int append(struct dh_trace_sink *s, const void *head, const void *data, size_t len)
{
	struct iovec v[2] = {{(void *)head, DH_TRACE_BLOCK_SIZE}, {(void *)data, len}};
	struct iovec *at = v, *end = v + (len ? 2 : 1);
	uint64_t pos = s->size;

	while (at < end) {
		ssize_t n = pwritev(s->fd, at, (int)(end - at), (off_t)pos);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			int r = n < 0 ? -errno : -EIO;

			/* If even this fails, the reader still ends at the last whole block. */
			if (ftruncate(s->fd, (off_t)s->size) < 0)
				return r;
			return r;
		}
		pos += (uint64_t)n;
		for (; at < end && (size_t)n >= at->iov_len; at++)
			n -= (ssize_t)at->iov_len;
		if (at < end) {
			at->iov_base = (uint8_t *)at->iov_base + n;
			at->iov_len -= (size_t)n;
		}
	}
	s->total += pos - s->size;
	s->stored_written += pos - s->size;
	s->size = pos;
	return 0;
}

/* Length of the compressed bytes in s->out, or 0 when they would not be shorter. */
static size_t compress(struct dh_trace_sink *s, const uint8_t *raw, size_t len)
{
	size_t bound = ZSTD_compressBound(len), n;

	if (s->out_cap < bound) {
		uint8_t *p = realloc(s->out, bound);

		if (!p)
			return 0;
		s->out = p;
		s->out_cap = bound;
	}
	n = ZSTD_compress2(s->zstd, s->out, s->out_cap, raw, len);
	return ZSTD_isError(n) || n >= len ? 0 : n;
}

int dh_trace_sink_write(
	struct dh_trace_sink *s, uint64_t first_seq, uint32_t count, const uint8_t *raw, size_t len)
{
	size_t packed = compress(s, raw, len);
	const uint8_t *data = packed ? s->out : raw;
	struct dh_trace_block b = {
		.version = DH_TRACE_FORMAT,
		.type = packed ? DH_TRACE_BLOCK_ZSTD : DH_TRACE_BLOCK_RAW,
		.recording = s->recording,
		.segment = s->segment,
		.count = count,
		.first_seq = first_seq,
		.raw_len = (uint32_t)len,
		.stored_len = (uint32_t)(packed ? packed : len),
	};
	uint8_t head[DH_TRACE_BLOCK_SIZE];
	int r;

	b.data_hash = XXH3_64bits(data, b.stored_len);
	dh_trace_block_encode(&b, head);
	r = append(s, head, data, b.stored_len);
	if (r == 0)
		s->raw_written += len;
	if (s->out_cap > OUT_KEEP) {
		free(s->out);
		s->out = NULL;
		s->out_cap = 0;
	}
	return r;
}

static int delete_oldest(struct dh_trace_sink *s)
{
	char name[DH_TRACE_SEGMENT_NAME];

	dh_trace_segment_name(s->oldest, name);
	if (unlinkat(s->dir_fd, name, 0) < 0)
		return -errno;
	s->total -= s->sizes[0];
	memmove(s->sizes, s->sizes + 1, --s->n_sizes * sizeof(*s->sizes));
	s->oldest++;
	return 0;
}

int dh_trace_sink_next_segment(struct dh_trace_sink *s, uint64_t other_bytes)
{
	uint64_t room = s->max_size - s->max_size / 4;
	int r = 0;

	DH_GROW(s->sizes, s->n_sizes, s->cap_sizes);
	s->sizes[s->n_sizes++] = s->size;
	dh_closep(&s->fd);
	while (r == 0 && s->max_size && s->n_sizes > 1 && s->total + other_bytes > room)
		r = delete_oldest(s);
	if (r < 0)
		return r;
	s->segment++;
	return open_segment(s);
}

int dh_trace_sink_end(struct dh_trace_sink *s, uint64_t total_events)
{
	struct dh_trace_block b = {
		.version = DH_TRACE_FORMAT,
		.type = DH_TRACE_BLOCK_END,
		.recording = s->recording,
		.segment = s->segment,
		.first_seq = total_events,
		.data_hash = XXH3_64bits("", 0),
	};
	uint8_t head[DH_TRACE_BLOCK_SIZE];

	dh_trace_block_encode(&b, head);
	return append(s, head, NULL, 0);
}

int dh_trace_sink_sync(struct dh_trace_sink *s)
{
	/* EINVAL: a file system that has nothing to sync to. */
	return !s->unsynced && fdatasync(s->fd) < 0 && errno != EINVAL ? -errno : 0;
}
