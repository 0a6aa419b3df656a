#include "trace/blocks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"

/* A buffer that grew beyond this for a giant event is given back. */
#define KEEP_MAX (4u << 20)

static int damaged(
	struct dh_trace_blocks *b, uint64_t offset, const char *what, struct dh_error *err)
{
	char name[DH_TRACE_SEGMENT_NAME];

	dh_trace_segment_name(b->segment, name);
	return dh_error_set(err, EBADMSG, "%s/%s: damaged at offset %" PRIu64 ": %s", b->dir, name,
		offset, what);
}

/* All n bytes at offset, or fewer at the end of the file; the count or -errno. */
static ssize_t read_at(int fd, void *to, size_t n, uint64_t offset)
{
	size_t got = 0;

	while (got < n) {
		ssize_t r = pread(fd, (char *)to + got, n - got, (off_t)(offset + got));

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		if (r == 0)
			break;
		got += (size_t)r;
	}
	return (ssize_t)got;
}

static int open_segment(struct dh_trace_blocks *b, struct dh_error *err)
{
	char name[DH_TRACE_SEGMENT_NAME];
	struct stat st;

	dh_trace_segment_name(b->segment, name);
	dh_closep(&b->fd);
	b->fd = openat(b->dir_fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (b->fd < 0 && errno == ENOENT)
		return dh_error_set(
			err, EBADMSG, "%s/%s: this part of the recording is missing", b->dir, name);
	if (b->fd < 0 || fstat(b->fd, &st) < 0)
		return dh_error_set(err, errno, "%s/%s: %s", b->dir, name, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return dh_error_set(err, EBADMSG, "%s/%s: not a regular file", b->dir, name);
	b->offset = 0;
	b->size = (uint64_t)st.st_size;
	return 0;
}

/* Lowest and highest number; a gap between them shows when the missing one is opened. */
static int find_segments(struct dh_trace_blocks *b, struct dh_error *err)
{
	int copy = fcntl(b->dir_fd, F_DUPFD_CLOEXEC, 0);
	DIR *d = copy >= 0 ? fdopendir(copy) : NULL;
	int64_t low = INT64_MAX, high = -1;
	struct dirent *e;

	if (!d) {
		dh_closep(&copy);
		return dh_error_set(err, errno, "%s: %s", b->dir, strerror(errno));
	}
	rewinddir(d);
	while ((e = readdir(d))) {
		int64_t n = dh_trace_segment_number(e->d_name);

		if (n < 0)
			continue;
		low = DH_MIN(low, n);
		high = DH_MAX(high, n);
	}
	closedir(d);
	if (high < 0)
		return dh_error_set(err, EBADMSG, "%s: the recording has no events files", b->dir);
	b->oldest = (uint32_t)low;
	b->newest = (uint32_t)high;
	return 0;
}

/* The last bytes of the newest segment say whether the recorder ended properly. */
static int find_end(struct dh_trace_blocks *b, struct dh_error *err)
{
	uint8_t head[DH_TRACE_BLOCK_SIZE];
	struct dh_trace_block end;
	int r;

	b->segment = b->newest;
	r = open_segment(b, err);
	if (r < 0)
		return r;
	b->complete = b->size >= sizeof(head) &&
		      read_at(b->fd, head, sizeof(head), b->size - sizeof(head)) == sizeof(head) &&
		      dh_trace_block_decode(head, &end) == 0 && end.type == DH_TRACE_BLOCK_END &&
		      end.recording == b->recording && end.segment == b->newest;
	return 0;
}

int dh_trace_blocks_init(struct dh_trace_blocks *b, const char *dir, int dir_fd, uint64_t recording,
	struct dh_error *err)
{
	int r;

	*b = (struct dh_trace_blocks){
		.dir = dir, .dir_fd = dir_fd, .recording = recording, .fd = -1};
	r = find_segments(b, err);
	if (r == 0)
		r = find_end(b, err);
	dh_trace_blocks_rewind(b);
	return r;
}

void dh_trace_blocks_release(struct dh_trace_blocks *b)
{
	dh_closep(&b->fd);
	dh_closep(&b->dir_fd);
}

void dh_trace_blocks_rewind(struct dh_trace_blocks *b)
{
	dh_closep(&b->fd);
	b->segment = b->oldest;
	b->offset = b->size = 0;
	b->next_seq = 0;
	b->begun = b->ended = false;
}

/* A machine that stops may leave zeros where the file had grown but not been written. */
static bool only_zeros_follow(const struct dh_trace_blocks *b)
{
	char piece[4096];
	uint64_t at = b->offset;
	ssize_t n;

	while ((n = read_at(b->fd, piece, sizeof(piece), at)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			if (piece[i])
				return false;
		at += (uint64_t)n;
	}
	return n == 0;
}

/* What stands at the position is no whole block.  At the very end of a recording that is where the
 * recorder was cut off; anywhere else it is damage. */
static int cut_or_damage(struct dh_trace_blocks *b, const char *what, struct dh_error *err)
{
	if (b->segment != b->newest || b->complete)
		return damaged(b, b->offset, what, err);
	b->ended = true;
	return 0;
}

static int check_order(
	struct dh_trace_blocks *b, const struct dh_trace_block *block, struct dh_error *err)
{
	bool end = block->type == DH_TRACE_BLOCK_END;

	if (block->recording != b->recording)
		return damaged(b, b->offset, "a block of another recording", err);
	if (block->segment != b->segment)
		return damaged(b, b->offset, "a block of another segment", err);
	/* A ring begins anywhere, but not before the segments that it has lost. */
	if (!b->begun && !end && (b->segment == 0) != (block->first_seq == 0))
		return damaged(b, b->offset, "the first block is not the first", err);
	if ((b->begun || end) && block->first_seq != b->next_seq)
		return damaged(b, b->offset, "blocks are missing before this one", err);
	if (end && (b->segment != b->newest || b->offset + DH_TRACE_BLOCK_SIZE != b->size))
		return damaged(b, b->offset, "data follows the end of the recording", err);
	return 0;
}

static int read_header(struct dh_trace_blocks *b, struct dh_trace_block *ret, struct dh_error *err)
{
	uint8_t head[DH_TRACE_BLOCK_SIZE];
	struct dh_trace_block block;
	ssize_t n = read_at(b->fd, head, sizeof(head), b->offset);
	int r;

	if (n < 0)
		return dh_error_set(err, (int)-n, "%s: %s", b->dir, strerror((int)-n));
	if (n < DH_TRACE_BLOCK_SIZE)
		return cut_or_damage(b, "the file ends in a block header", err);
	r = dh_trace_block_decode(head, &block);
	if (r == -ENOMSG && only_zeros_follow(b))
		return cut_or_damage(b, "zeros in place of a block", err);
	if (r == -ENOMSG)
		return damaged(b, b->offset, "no block begins here", err);
	if (r < 0)
		return damaged(b, b->offset, "the block header is wrong", err);
	r = check_order(b, &block, err);
	if (r < 0)
		return r;
	if (block.stored_len > b->size - b->offset - sizeof(head))
		return cut_or_damage(b, "the file ends in a block", err);
	*ret = block;
	return 1;
}

/* At the end of a file: on to the next, or the end of the recording. */
static int next_segment(struct dh_trace_blocks *b, struct dh_error *err)
{
	int r;

	if (b->segment == b->newest)
		return cut_or_damage(b, "the end is missing", err);
	if (b->offset == 0)
		return damaged(b, 0, "an empty segment in the middle", err);
	b->segment++;
	r = open_segment(b, err);
	return r < 0 ? r : 1;
}

int dh_trace_blocks_next(
	struct dh_trace_blocks *b, struct dh_trace_block *ret, struct dh_error *err)
{
	int r = 1;

	if (b->ended)
		return 0;
	if (b->fd < 0)
		r = open_segment(b, err);
	while (r >= 0 && b->offset == b->size) {
		r = next_segment(b, err);
		if (r <= 0)
			return r;
	}
	if (r >= 0)
		r = read_header(b, ret, err);
	if (r <= 0)
		return r;
	b->begun = true;
	b->next_seq = ret->first_seq + ret->count;
	b->offset += DH_TRACE_BLOCK_SIZE;
	if (ret->type == DH_TRACE_BLOCK_END)
		b->ended = true;
	return !b->ended;
}

void dh_trace_blocks_skip(struct dh_trace_blocks *b, const struct dh_trace_block *block)
{
	b->offset += block->stored_len;
}

/* Room for n bytes.  The size comes from the file: bounded, but still no reason to give up the
 * process when memory is short. */
static int make_room(struct dh_trace_data *d, size_t n)
{
	uint8_t *p;

	if (d->cap >= n && (d->cap <= KEEP_MAX || n > KEEP_MAX))
		return 0;
	p = malloc(n);
	if (!p)
		return -ENOMEM;
	free(d->bytes);
	d->bytes = p;
	d->cap = n;
	return 0;
}

static int unpack(struct dh_trace_blocks *b, const struct dh_trace_block *block,
	struct ZSTD_DCtx_s *zstd, const struct dh_trace_data *stored, struct dh_trace_data *ret,
	struct dh_error *err)
{
	size_t n;

	if (ZSTD_getFrameContentSize(stored->bytes, block->stored_len) != block->raw_len)
		return damaged(b, b->offset, "the compressed length is wrong", err);
	if (make_room(ret, block->raw_len) < 0)
		return dh_error_set(err, ENOMEM, "%s: no memory for an event of %" PRIu32 " bytes",
			b->dir, block->raw_len);
	n = ZSTD_decompressDCtx(zstd, ret->bytes, block->raw_len, stored->bytes, block->stored_len);
	if (ZSTD_isError(n) || n != block->raw_len)
		return damaged(b, b->offset, "the data cannot be decompressed", err);
	return 0;
}

int dh_trace_blocks_load(struct dh_trace_blocks *b, const struct dh_trace_block *block,
	struct ZSTD_DCtx_s *zstd, struct dh_trace_data *stored, struct dh_trace_data *ret,
	struct dh_error *err)
{
	struct dh_trace_data *to = block->type == DH_TRACE_BLOCK_RAW ? ret : stored;
	ssize_t n;
	int r;

	if (make_room(to, block->stored_len) < 0)
		return dh_error_set(err, ENOMEM, "%s: no memory for an event of %" PRIu32 " bytes",
			b->dir, block->raw_len);
	n = read_at(b->fd, to->bytes, block->stored_len, b->offset);
	if (n < 0)
		return dh_error_set(err, (int)-n, "%s: %s", b->dir, strerror((int)-n));
	if (n != block->stored_len || XXH3_64bits(to->bytes, (size_t)n) != block->data_hash)
		return damaged(b, b->offset, "the checksum is wrong", err);
	if (to == stored) {
		r = unpack(b, block, zstd, stored, ret, err);
		if (r < 0)
			return r;
	}
	ret->len = block->raw_len;
	ret->first_seq = block->first_seq;
	ret->count = block->count;
	b->offset += block->stored_len;
	return 0;
}
