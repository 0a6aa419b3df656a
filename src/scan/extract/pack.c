#include "scan/extract/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/map.h"
#include "scan/ir/summary.h"

#define MAX_PACK   ((size_t)4 << 30)
#define MAX_RECORD ((size_t)256 << 20)
/* A file below this size is never pruned. */
#define MIN_PRUNE     ((size_t)1 << 20)
#define MAX_UNWRITTEN ((size_t)1 << 20)

static const char magic[8] = "DHPACK1";

struct header {
	char magic[8];
	uint32_t version;
	uint32_t zero;
};

struct record {
	uint8_t id[16]; /* hash of the bytes */
	uint64_t size;
};

/* The file is kept in memory whole: a run needs nearly all of it. */
struct dh_scan_pack {
	char *path;
	int fd;
	struct dh_buf bytes;
	struct dh_map index; /* lower half of the id -> offset of the record */
	size_t written;      /* how much of bytes is in the file */
};

static uint64_t low_half(const void *id)
{
	uint64_t low;

	memcpy(&low, id, sizeof(low));
	return low;
}

static void hash(const void *bytes, size_t size, uint8_t ret[16])
{
	XXH128_hash_t h = XXH3_128bits(bytes, size);

	memcpy(ret, &h.low64, 8);
	memcpy(ret + 8, &h.high64, 8);
}

/* Everything up to the first record that is not whole or not what it was. */
static void index_records(struct dh_scan_pack *p)
{
	size_t at = sizeof(struct header);
	struct record r;
	uint8_t now[16];

	while (p->bytes.len - at >= sizeof(r)) {
		memcpy(&r, p->bytes.data + at, sizeof(r));
		if (r.size > p->bytes.len - at - sizeof(r))
			break;
		hash(p->bytes.data + at + sizeof(r), r.size, now);
		if (memcmp(now, r.id, sizeof(now)) != 0)
			break;
		dh_map_set(&p->index, low_half(r.id), at);
		at += sizeof(r) + r.size;
	}
	p->bytes.len = p->written = at;
}

static bool is_ours(const struct dh_buf *b)
{
	struct header h;

	if (b->len < sizeof(h))
		return false;
	memcpy(&h, b->data, sizeof(h));
	return memcmp(h.magic, magic, sizeof(magic)) == 0 && h.version == DH_SCAN_SUMMARY_VERSION &&
	       h.zero == 0;
}

int dh_scan_pack_open(const char *path, struct dh_scan_pack **ret, struct dh_error *err)
{
	struct header h = {.version = DH_SCAN_SUMMARY_VERSION};
	struct dh_scan_pack *p;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		return dh_error_set(err, errno, "%s: %s", path, strerror(errno));
	p = dh_new(struct dh_scan_pack);
	p->path = dh_strdup(path);
	p->fd = fd;
	if (dh_read_fd(fd, MAX_PACK, &p->bytes) < 0 || !is_ours(&p->bytes)) {
		memcpy(h.magic, magic, sizeof(magic));
		dh_buf_clear(&p->bytes);
		dh_buf_add(&p->bytes, &h, sizeof(h));
	} else {
		index_records(p);
	}
	*ret = p;
	return 0;
}

/* What was added goes to the file at once; what cannot be written is made again the next time. */
static int flush(struct dh_scan_pack *p)
{
	size_t n = p->bytes.len - p->written;

	if (!n)
		return 0;
	if (lseek(p->fd, (off_t)p->written, SEEK_SET) < 0 ||
		dh_write_full(p->fd, p->bytes.data + p->written, n) < 0 ||
		ftruncate(p->fd, (off_t)p->bytes.len) < 0)
		return -errno;
	p->written = p->bytes.len;
	return 0;
}

void dh_scan_pack_close(struct dh_scan_pack *p)
{
	if (!p)
		return;
	flush(p);
	dh_closep(&p->fd);
	dh_buf_release(&p->bytes);
	dh_map_release(&p->index);
	free(p->path);
	free(p);
}

static bool find(const struct dh_scan_pack *p, const void *id, struct record *ret, size_t *ret_at)
{
	uint64_t at;

	if (!dh_map_get(&p->index, low_half(id), &at))
		return false;
	memcpy(ret, p->bytes.data + at, sizeof(*ret));
	*ret_at = at + sizeof(*ret);
	return memcmp(ret->id, id, sizeof(ret->id)) == 0;
}

bool dh_scan_pack_has(const struct dh_scan_pack *p, const void *id)
{
	struct record r;
	size_t at;

	return find(p, id, &r, &at);
}

int dh_scan_pack_get(const struct dh_scan_pack *p, const void *id, struct dh_buf *out)
{
	struct record r;
	size_t at;

	if (!find(p, id, &r, &at))
		return -ENOENT;
	dh_buf_add(out, p->bytes.data + at, r.size);
	return 0;
}

int dh_scan_pack_add(struct dh_scan_pack *p, const void *bytes, size_t size, uint8_t ret_id[16],
	struct dh_error *err)
{
	struct record r = {.size = size}, old;
	size_t at;

	if (size > MAX_RECORD || p->bytes.len + size + sizeof(r) > MAX_PACK)
		return dh_error_set(err, EFBIG,
			"%s would grow beyond %zu MiB; remove it, it is made again", p->path,
			MAX_PACK >> 20);
	hash(bytes, size, r.id);
	memcpy(ret_id, r.id, sizeof(r.id));
	if (find(p, r.id, &old, &at))
		return 0;
	dh_map_set(&p->index, low_half(r.id), p->bytes.len);
	dh_buf_add(&p->bytes, &r, sizeof(r));
	dh_buf_add(&p->bytes, bytes, size);
	/* A run that is interrupted keeps what it has. */
	if (p->bytes.len - p->written > MAX_UNWRITTEN)
		flush(p);
	return 0;
}

/* The header and the records of live, one after the other. */
static void collect(const struct dh_scan_pack *p, const struct dh_map *live, struct dh_buf *out)
{
	struct record r;

	dh_buf_add(out, p->bytes.data, sizeof(struct header));
	dh_map_foreach (slot, &p->index) {
		if (!dh_map_get(live, slot->key, NULL))
			continue;
		memcpy(&r, p->bytes.data + slot->value, sizeof(r));
		dh_buf_add(out, p->bytes.data + slot->value, sizeof(r) + r.size);
	}
}

bool dh_scan_pack_is_stale(const struct dh_scan_pack *p, const struct dh_map *live)
{
	struct record r;
	size_t kept = 0;

	dh_map_foreach (slot, &p->index) {
		memcpy(&r, p->bytes.data + slot->value, sizeof(r));
		kept += dh_map_get(live, slot->key, NULL) ? sizeof(r) + r.size : 0;
	}
	return p->bytes.len >= MIN_PRUNE && kept < p->bytes.len / 4;
}

void dh_scan_pack_prune(struct dh_scan_pack *p, const struct dh_map *live)
{
	DH_BUF struct dh_buf kept = DH_BUF_INIT;

	if (!dh_scan_pack_is_stale(p, live))
		return;
	collect(p, live, &kept);
	dh_buf_release(&p->bytes);
	dh_map_clear(&p->index);
	p->bytes = kept;
	kept = DH_BUF_INIT;
	index_records(p);
	/* Everything is to be written, behind nothing that was there. */
	p->written = 0;
}

uint64_t dh_scan_pack_count(const struct dh_scan_pack *p)
{
	return p->index.n;
}

uint64_t dh_scan_pack_bytes(const struct dh_scan_pack *p)
{
	return p->bytes.len;
}

int dh_scan_write_file(const char *path, const void *bytes, size_t size, struct dh_error *err)
{
	DH_FREE char *beside = dh_asprintf("%s.new", path);
	DH_FD int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int r = fd < 0 ? -errno : dh_write_full(fd, bytes, size);

	if (r == 0 && rename(beside, path) < 0)
		r = -errno;
	if (r < 0) {
		unlink(beside);
		return dh_error_set(err, -r, "%s: %s", path, strerror(-r));
	}
	return 0;
}
