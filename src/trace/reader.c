#include "trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "trace/blocks.h"
#include "trace/files.h"
#include "trace/meta.h"

struct dh_trace_reader {
	char *dir;
	struct dh_trace_meta meta;
	struct dh_trace_blocks blocks;
	ZSTD_DCtx *zstd;
	struct dh_trace_data stored;
	/* Two, because the event that peek() shows may begin a block while the data of the one
	 * before is still in use. */
	struct dh_trace_data data[2];
	int current;    /* that pos points into */
	size_t pos;     /* behind the last event that was decoded */
	uint32_t taken; /* events decoded from the current block */
	bool peeked;
	struct dh_trace_event ahead; /* when peeked */
	struct dh_error failed;      /* once an error has been met */
	struct dh_strset verified;   /* paths of stored files that are whole */
};

static int reader_start(struct dh_trace_reader *r, struct dh_error *err)
{
	int fd, e = dh_trace_meta_read(r->dir, &r->meta, err);

	if (e < 0)
		return e;
	fd = open(r->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return dh_error_set(err, errno, "%s: %s", r->dir, strerror(errno));
	r->zstd = ZSTD_createDCtx();
	e = dh_trace_blocks_init(&r->blocks, r->dir, fd, r->meta.recording, err);
	if (e == 0 && !r->zstd)
		e = dh_error_set(err, ENOMEM, "%s: no memory to read the recording", r->dir);
	return e;
}

int dh_trace_reader_open(const char *dir, struct dh_trace_reader **ret, struct dh_error *err)
{
	struct dh_trace_reader *r = dh_new(struct dh_trace_reader);
	int e;

	r->dir = dh_strdup(dir);
	r->blocks.fd = r->blocks.dir_fd = -1;
	dh_strset_init(&r->verified);
	e = reader_start(r, err);
	if (e < 0)
		dh_trace_reader_free(r);
	else
		*ret = r;
	return e;
}

void dh_trace_reader_free(struct dh_trace_reader *r)
{
	if (!r)
		return;
	dh_trace_blocks_release(&r->blocks);
	ZSTD_freeDCtx(r->zstd);
	free(r->stored.bytes);
	free(r->data[0].bytes);
	free(r->data[1].bytes);
	dh_strset_release(&r->verified);
	dh_trace_meta_release(&r->meta);
	free(r->dir);
	free(r);
}

const struct dh_trace_meta *dh_trace_reader_meta(const struct dh_trace_reader *r)
{
	return &r->meta;
}

const char *dh_trace_reader_dir(const struct dh_trace_reader *r)
{
	return r->dir;
}

bool dh_trace_reader_complete(const struct dh_trace_reader *r)
{
	return r->blocks.complete;
}

int dh_trace_reader_rewind(struct dh_trace_reader *r, struct dh_error *err)
{
	(void)err;
	dh_trace_blocks_rewind(&r->blocks);
	r->data[r->current].len = r->data[r->current].count = 0;
	r->pos = r->taken = 0;
	r->peeked = false;
	r->failed = DH_ERROR_INIT;
	return 0;
}

static int damaged_event(struct dh_trace_reader *r, const char *what, struct dh_error *err)
{
	char name[DH_TRACE_SEGMENT_NAME];

	dh_trace_segment_name(r->blocks.segment, name);
	return dh_error_set(err, EBADMSG,
		"%s/%s: damaged before offset %" PRIu64 ": event %" PRIu64 " %s", r->dir, name,
		r->blocks.offset, r->data[r->current].first_seq + r->taken, what);
}

static int load_block(struct dh_trace_reader *r, struct dh_error *err)
{
	struct dh_trace_data *to = &r->data[!r->current];
	struct dh_trace_block block;
	int e = dh_trace_blocks_next(&r->blocks, &block, err);

	if (e <= 0)
		return e;
	e = dh_trace_blocks_load(&r->blocks, &block, r->zstd, &r->stored, to, err);
	if (e < 0)
		return e;
	r->current = !r->current;
	r->pos = r->taken = 0;
	return 1;
}

/* Decodes the event at the position; the block has one more. */
static int decode_event(struct dh_trace_reader *r, struct dh_trace_event *ret, struct dh_error *err)
{
	const struct dh_trace_data *d = &r->data[r->current];
	const uint8_t *p = d->bytes + r->pos, *end = d->bytes + d->len;
	uint32_t kind, task, len;

	p = dh_trace_get_number(p, end, &kind);
	p = p ? dh_trace_get_number(p, end, &task) : NULL;
	p = p ? dh_trace_get_number(p, end, &len) : NULL;
	if (!p || kind > UINT16_MAX || len > (size_t)(end - p))
		return damaged_event(r, "is not valid", err);
	if (r->taken + 1 == d->count && len != (size_t)(end - p))
		return damaged_event(r, "is not the last in its block", err);
	*ret = (struct dh_trace_event){.seq = d->first_seq + r->taken,
		.kind = (uint16_t)kind,
		.task = task,
		.data = p,
		.len = len};
	r->pos = (size_t)(p + len - d->bytes);
	r->taken++;
	return 1;
}

static int read_event(struct dh_trace_reader *r, struct dh_trace_event *ret, struct dh_error *err)
{
	int e = 1;

	if (r->failed.code) {
		if (err)
			*err = r->failed;
		return -r->failed.code;
	}
	if (r->taken == r->data[r->current].count)
		e = load_block(r, &r->failed);
	if (e > 0)
		e = decode_event(r, ret, &r->failed);
	if (e < 0 && err)
		*err = r->failed;
	return e;
}

int dh_trace_reader_peek(
	struct dh_trace_reader *r, struct dh_trace_event *ret, struct dh_error *err)
{
	if (!r->peeked) {
		int e = read_event(r, &r->ahead, err);

		if (e <= 0)
			return e;
		r->peeked = true;
	}
	*ret = r->ahead;
	return 1;
}

int dh_trace_reader_next(
	struct dh_trace_reader *r, struct dh_trace_event *ret, struct dh_error *err)
{
	if (!r->peeked)
		return read_event(r, ret, err);
	*ret = r->ahead;
	r->peeked = false;
	return 1;
}

int dh_trace_reader_file(
	struct dh_trace_reader *r, const char *hash, const char **ret_path, struct dh_error *err)
{
	DH_FREE char *path = NULL;
	int e;

	if (!dh_trace_hash_valid(hash))
		return dh_error_set(err, EINVAL, "%s: not the name of a stored file", r->dir);
	path = dh_asprintf("%s/files/%s", r->dir, hash);
	if (dh_strset_find(&r->verified, path) < 0) {
		e = dh_trace_files_verify(r->dir, hash, err);
		if (e < 0)
			return e;
	}
	*ret_path = dh_strset_get(&r->verified, dh_strset_add(&r->verified, path));
	return 0;
}

int dh_trace_reader_stats(
	struct dh_trace_reader *r, struct dh_trace_reader_stats *ret, struct dh_error *err)
{
	struct dh_trace_reader_stats s = {.segments = r->blocks.newest - r->blocks.oldest + 1};
	struct dh_trace_blocks walk = r->blocks;
	struct dh_trace_block block;
	int e;

	walk.fd = -1; /* a descriptor of its own; the directory is shared */
	dh_trace_blocks_rewind(&walk);
	while ((e = dh_trace_blocks_next(&walk, &block, err)) > 0) {
		if (s.blocks++ == 0)
			s.first_seq = block.first_seq;
		s.events += block.count;
		s.raw_bytes += block.raw_len;
		s.stored_bytes += DH_TRACE_BLOCK_SIZE + block.stored_len;
		dh_trace_blocks_skip(&walk, &block);
	}
	walk.dir_fd = -1;
	dh_trace_blocks_release(&walk);
	if (e == 0)
		*ret = s;
	return e;
}
