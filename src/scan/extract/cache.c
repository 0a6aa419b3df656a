#include "scan/extract/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/map.h"
#include "scan/extract/pack.h"
#include "scan/ir/summary.h"

#define MAX_UNIT ((size_t)1 << 30)
#define MAX_FILE ((size_t)1 << 30)
#define LEVEL    1 /* of zstd: summaries are read more often than kept */

static const char magic[8] = "DHSCAN1";

enum kind {
	UNIT,
	REJECTED, /* instead of the summary there are the compiler's words */
	KINDS,
};

/* Before the content of a unit's file, which is compressed. */
struct header {
	char magic[8];
	uint32_t version;
	uint32_t kind;     /* enum kind */
	uint64_t size;     /* of the content as it is compressed */
	uint64_t full;     /* and unpacked */
	uint64_t checksum; /* of the unpacked content and the kind */
};

/* The content: counts, then the files with the hashes of their content, then the references to
 * shared functions, then the summary. */
struct content {
	uint32_t n_files, n_refs;
	uint64_t names; /* bytes of all names, each ended by a null byte */
};

struct dh_scan_cache {
	char *dir;
	int lock;
	struct dh_scan_pack *pack;
	struct dh_strset files; /* that were hashed already */
	uint64_t *hashes;       /* of each */
	size_t n_hashes, cap_hashes;
	struct dh_map joined; /* lower halves of the ids of shared functions in the program */
	uint64_t uses, damaged;
};

static void prune(struct dh_scan_cache *c);

int dh_scan_cache_open(const char *dir, struct dh_scan_cache **ret, struct dh_error *err)
{
	struct dh_scan_cache *c;
	DH_FREE char *units = dh_asprintf("%s/units", dir), *lock = dh_asprintf("%s/lock", dir);
	DH_FREE char *pack = dh_asprintf("%s/shared", dir);
	int fd, r = dh_mkdir_p(units, 0777, err);

	if (r < 0)
		return r;
	fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || flock(fd, LOCK_EX) < 0) {
		r = dh_error_set(err, errno, "%s: %s", lock, strerror(errno));
		dh_closep(&fd);
		return r;
	}
	c = dh_new(struct dh_scan_cache);
	c->dir = dh_strdup(dir);
	c->lock = fd;
	dh_strset_init(&c->files);
	r = dh_scan_pack_open(pack, &c->pack, err);
	if (r < 0) {
		dh_scan_cache_close(c);
		return r;
	}
	*ret = c;
	return 0;
}

void dh_scan_cache_close(struct dh_scan_cache *c)
{
	if (!c)
		return;
	if (c->joined.n && dh_scan_pack_is_stale(c->pack, &c->joined))
		prune(c);
	dh_scan_pack_close(c->pack);
	dh_strset_release(&c->files);
	dh_map_release(&c->joined);
	free(c->hashes);
	free(c->dir);
	dh_closep(&c->lock);
	free(c);
}

struct dh_scan_key dh_scan_key(const char *const *parts)
{
	XXH3_state_t *state = XXH3_createState();
	struct dh_scan_key key;
	XXH128_hash_t h;
	uint32_t version = DH_SCAN_SUMMARY_VERSION;

	XXH3_128bits_reset(state);
	XXH3_128bits_update(state, &version, sizeof(version));
	for (; *parts; parts++)
		XXH3_128bits_update(state, *parts, strlen(*parts) + 1);
	h = XXH3_128bits_digest(state);
	XXH3_freeState(state);
	snprintf(key.hex, sizeof(key.hex), "%016llx%016llx", (unsigned long long)h.high64,
		(unsigned long long)h.low64);
	return key;
}

static char *unit_path(const struct dh_scan_cache *c, const struct dh_scan_key *key)
{
	return dh_asprintf("%s/units/%s", c->dir, key->hex);
}

char *dh_scan_cache_scratch(const struct dh_scan_cache *c, size_t number)
{
	return dh_asprintf("%s/output.%zu", c->dir, number);
}

/* Of the file's content; 0: it is not there. */
static uint64_t hash_file(struct dh_scan_cache *c, const char *path)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	uint32_t id = dh_strset_add(&c->files, path);

	if (id < c->n_hashes)
		return c->hashes[id];
	DH_GROW(c->hashes, c->n_hashes, c->cap_hashes);
	c->hashes[c->n_hashes] = 0;
	if (dh_read_file(path, MAX_FILE, &text, NULL) == 0)
		c->hashes[c->n_hashes] = XXH3_64bits(dh_buf_str(&text), text.len) | 1;
	return c->hashes[c->n_hashes++];
}

/* A unit's file, unpacked and checked as far as its own sizes go. */
struct unit {
	struct dh_buf bytes;
	struct content content;
	const char *names;
	const uint8_t *hashes, *refs, *summary;
	size_t summary_size;
	enum kind kind;
};

static bool lay_out(struct unit *u)
{
	const uint8_t *at = (const uint8_t *)u->bytes.data;
	uint64_t left = u->bytes.len, need;

	if (left < sizeof(u->content))
		return false;
	memcpy(&u->content, at, sizeof(u->content));
	at += sizeof(u->content);
	left -= sizeof(u->content);
	need = (uint64_t)u->content.n_files * 8 + (uint64_t)u->content.n_refs * 16;
	if (need > left || u->content.names > left - need)
		return false;
	u->names = (const char *)at;
	u->hashes = at + u->content.names;
	u->refs = u->hashes + (uint64_t)u->content.n_files * 8;
	u->summary = u->refs + (uint64_t)u->content.n_refs * 16;
	u->summary_size = left - need - u->content.names;
	return !u->content.names || u->names[u->content.names - 1] == 0;
}

static bool unpack(const struct dh_buf *file, struct unit *u)
{
	struct header h;

	if (file->len < sizeof(h))
		return false;
	memcpy(&h, file->data, sizeof(h));
	if (memcmp(h.magic, magic, sizeof(magic)) != 0 || h.version != DH_SCAN_SUMMARY_VERSION ||
		h.kind >= KINDS || h.size != file->len - sizeof(h) || h.full > MAX_UNIT)
		return false;
	u->kind = (enum kind)h.kind;
	dh_buf_reserve(&u->bytes, h.full);
	if (ZSTD_decompress(u->bytes.data, h.full, file->data + sizeof(h), h.size) != h.full)
		return false;
	u->bytes.len = h.full;
	return XXH3_64bits_withSeed(u->bytes.data, h.full, h.kind) == h.checksum && lay_out(u);
}

static bool is_valid(struct dh_scan_cache *c, const struct unit *u)
{
	const char *name = u->names, *end = u->names + u->content.names;
	uint64_t hash;

	for (uint32_t i = 0; i < u->content.n_files; i++, name += strlen(name) + 1) {
		if (name >= end)
			return false;
		memcpy(&hash, u->hashes + (size_t)i * 8, sizeof(hash));
		if (hash_file(c, name) != hash)
			return false;
	}
	for (uint32_t i = 0; i < u->content.n_refs; i++) {
		if (!dh_scan_pack_has(c->pack, u->refs + (size_t)i * 16))
			return false;
	}
	return true;
}

static bool read_unit(struct dh_scan_cache *c, const struct dh_scan_key *key, struct unit *u)
{
	DH_FREE char *path = unit_path(c, key);
	DH_BUF struct dh_buf file = DH_BUF_INIT;

	if (dh_read_file(path, MAX_UNIT, &file, NULL) < 0)
		return false;
	if (unpack(&file, u))
		return true;
	c->damaged++;
	return false;
}

bool dh_scan_cache_has(struct dh_scan_cache *c, const struct dh_scan_key *key, char **ret_why)
{
	struct unit u = {0};
	bool valid = read_unit(c, key, &u) && is_valid(c, &u);

	if (valid)
		*ret_why = u.kind == REJECTED ? strndup((const char *)u.summary, u.summary_size)
					      : NULL;
	dh_buf_release(&u.bytes);
	return valid;
}

/* Each shared function joins the program once. */
static bool join_shared(struct dh_scan_cache *c, const struct unit *u, struct dh_scan_program *p)
{
	DH_BUF struct dh_buf one = DH_BUF_INIT;
	uint64_t id;

	for (uint32_t i = 0; i < u->content.n_refs; i++) {
		const uint8_t *ref = u->refs + (size_t)i * 16;

		memcpy(&id, ref, sizeof(id));
		c->uses++;
		if (dh_map_get(&c->joined, id, NULL))
			continue;
		dh_buf_clear(&one);
		if (dh_scan_pack_get(c->pack, ref, &one) < 0 ||
			dh_scan_summary_read(p, dh_buf_str(&one), one.len, NULL) < 0)
			return false;
		dh_map_set(&c->joined, id, 1);
	}
	return true;
}

bool dh_scan_cache_load(
	struct dh_scan_cache *c, const struct dh_scan_key *key, struct dh_scan_program *p)
{
	struct unit u = {0};
	bool ok = read_unit(c, key, &u) && is_valid(c, &u) && u.kind == UNIT;

	if (ok && (dh_scan_summary_read(p, u.summary, u.summary_size, NULL) < 0 ||
			  !join_shared(c, &u, p))) {
		c->damaged++;
		ok = false;
	}
	dh_buf_release(&u.bytes);
	return ok;
}

/* The next part of the helper's output. */
static bool take_part(const uint8_t **at, const uint8_t *end, const uint8_t **ret, uint64_t *ret_n)
{
	if ((size_t)(end - *at) < sizeof(*ret_n))
		return false;
	memcpy(ret_n, *at, sizeof(*ret_n));
	*ret = *at + sizeof(*ret_n);
	if (*ret_n > (uint64_t)(end - *ret))
		return false;
	*at = *ret + *ret_n;
	return true;
}

/* Names and their hashes, for the beginning of the content. */
static void add_files(struct dh_scan_cache *c, const char *names, uint64_t n,
	struct content *content, struct dh_buf *hashes)
{
	for (const char *s = names; s < names + n; s += strlen(s) + 1) {
		uint64_t hash = hash_file(c, s);

		dh_buf_add(hashes, &hash, sizeof(hash));
		content->n_files++;
	}
	content->names = n;
}

static int write_unit(const struct dh_scan_cache *c, const struct dh_scan_key *key, enum kind kind,
	const struct dh_buf *bytes, struct dh_error *err)
{
	DH_FREE char *path = unit_path(c, key);
	DH_BUF struct dh_buf file = DH_BUF_INIT;
	struct header h = {.version = DH_SCAN_SUMMARY_VERSION, .kind = kind, .full = bytes->len};
	size_t room = ZSTD_compressBound(bytes->len);

	memcpy(h.magic, magic, sizeof(magic));
	dh_buf_reserve(&file, sizeof(h) + room);
	h.size = ZSTD_compress(file.data + sizeof(h), room, bytes->data, bytes->len, LEVEL);
	if (ZSTD_isError(h.size))
		return dh_error_set(err, EIO, "%s: cannot compress", path);
	h.checksum = XXH3_64bits_withSeed(bytes->data, bytes->len, kind);
	memcpy(file.data, &h, sizeof(h));
	file.len = sizeof(h) + h.size;
	return dh_scan_write_file(path, file.data, file.len, err);
}

int dh_scan_cache_store(struct dh_scan_cache *c, const struct dh_scan_key *key, const void *output,
	size_t size, struct dh_error *err)
{
	DH_BUF struct dh_buf bytes = DH_BUF_INIT, hashes = DH_BUF_INIT, refs = DH_BUF_INIT;
	const uint8_t *at = output, *end = at + size, *names, *summary, *one;
	struct content content = {0};
	uint64_t n_names, n_summary, n;
	uint8_t id[16];
	int r = 0;

	if (!take_part(&at, end, &names, &n_names) || !take_part(&at, end, &summary, &n_summary) ||
		(n_names && names[n_names - 1]))
		return dh_error_set(err, EBADMSG, "the helper's output is damaged");
	while (r == 0 && take_part(&at, end, &one, &n)) {
		r = dh_scan_pack_add(c->pack, one, n, id, err);
		dh_buf_add(&refs, id, sizeof(id));
		content.n_refs++;
	}
	add_files(c, (const char *)names, n_names, &content, &hashes);
	dh_buf_add(&bytes, &content, sizeof(content));
	dh_buf_add(&bytes, names, n_names);
	dh_buf_add(&bytes, dh_buf_str(&hashes), hashes.len);
	dh_buf_add(&bytes, dh_buf_str(&refs), refs.len);
	dh_buf_add(&bytes, summary, n_summary);
	return r < 0 ? r : write_unit(c, key, UNIT, &bytes, err);
}

int dh_scan_cache_reject(struct dh_scan_cache *c, const struct dh_scan_key *key, const void *output,
	size_t size, const char *why, struct dh_error *err)
{
	DH_BUF struct dh_buf bytes = DH_BUF_INIT, hashes = DH_BUF_INIT;
	const uint8_t *at = output, *names;
	struct content content = {0};
	uint64_t n;

	if (!take_part(&at, at + size, &names, &n) || !n || names[n - 1])
		return dh_error_set(err, EBADMSG, "the helper's output is damaged");
	add_files(c, (const char *)names, n, &content, &hashes);
	dh_buf_add(&bytes, &content, sizeof(content));
	dh_buf_add(&bytes, names, n);
	dh_buf_add(&bytes, dh_buf_str(&hashes), hashes.len);
	dh_buf_add(&bytes, why, strlen(why));
	return write_unit(c, key, REJECTED, &bytes, err);
}

/* Most of the shared functions were not used by this run.  Another one, over other sources, may
 * want them: only what no unit in the cache refers to goes. */
static void prune(struct dh_scan_cache *c)
{
	DH_FREE char *units = dh_asprintf("%s/units", c->dir);
	DIR *dir = opendir(units);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		struct dh_scan_key key;
		struct unit u = {0};
		uint64_t id;

		if (strlen(e->d_name) != sizeof(key.hex) - 1)
			continue;
		memcpy(key.hex, e->d_name, sizeof(key.hex));
		if (!read_unit(c, &key, &u))
			u.content.n_refs = 0;
		for (uint32_t i = 0; i < u.content.n_refs; i++) {
			memcpy(&id, u.refs + (size_t)i * 16, sizeof(id));
			dh_map_set(&c->joined, id, 1);
		}
		dh_buf_release(&u.bytes);
	}
	if (dir)
		closedir(dir);
	dh_scan_pack_prune(c->pack, &c->joined);
}

struct dh_scan_cache_stats dh_scan_cache_stats(const struct dh_scan_cache *c)
{
	return (struct dh_scan_cache_stats){
		.shared = dh_scan_pack_count(c->pack),
		.shared_uses = c->uses,
		.bytes = dh_scan_pack_bytes(c->pack),
		.damaged = c->damaged,
	};
}
