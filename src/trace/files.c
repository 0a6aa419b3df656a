#include "trace/files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"

#define PIECE (1u << 18)
/* A file changed this recently may change again without its times moving. */
#define SETTLED_NS INT64_C(2000000000)

void dh_trace_files_init(struct dh_trace_files *f, const char *dir)
{
	*f = (struct dh_trace_files){.dir = dh_strdup(dir)};
	dh_strset_init(&f->hashes);
}

void dh_trace_files_release(struct dh_trace_files *f)
{
	free(f->dir);
	dh_map_release(&f->known);
	dh_strset_release(&f->hashes);
}

bool dh_trace_hash_valid(const char *hash)
{
	return strspn(hash, "0123456789abcdef") == DH_TRACE_HASH_LEN && !hash[DH_TRACE_HASH_LEN];
}

int dh_trace_files_hash(int fd, char ret[DH_TRACE_HASH_LEN + 1])
{
	DH_FREE uint8_t *piece = dh_alloc(PIECE);
	XXH3_state_t *state = XXH3_createState();
	XXH128_canonical_t hash;
	off_t at = 0;
	ssize_t n;

	if (!state)
		return -ENOMEM;
	XXH3_128bits_reset(state);
	while ((n = pread(fd, piece, PIECE, at)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		XXH3_128bits_update(state, piece, (size_t)n);
		at += n;
	}
	n = n < 0 ? -errno : 0;
	XXH128_canonicalFromHash(&hash, XXH3_128bits_digest(state));
	XXH3_freeState(state);
	if (n == 0)
		for (size_t i = 0; i < sizeof(hash.digest); i++)
			snprintf(ret + 2 * i, 3, "%02x", hash.digest[i]);
	return (int)n;
}

/* Bytes from offset at on, with plain reads: works for any file. */
static int copy_rest(int from, int to, off_t at)
{
	DH_FREE uint8_t *piece = dh_alloc(PIECE);
	ssize_t n;

	while ((n = pread(from, piece, PIECE, at)) != 0) {
		int r;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		r = dh_write_full(to, piece, (size_t)n);
		if (r < 0)
			return r;
		at += n;
	}
	return 0;
}

static int copy(int from, int to)
{
	off_t at = 0;
	ssize_t n;

	if (ioctl(to, FICLONE, from) == 0)
		return 0;
	do {
		n = copy_file_range(from, &at, to, NULL, 1u << 30, 0);
		if (n < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO))
			return -errno;
	} while (n > 0);
	/* Between some file systems the kernel refuses, and for some files it says 0. */
	return copy_rest(from, to, at);
}

static uint64_t identity(const struct stat *st)
{
	uint64_t words[] = {st->st_dev, st->st_ino, (uint64_t)st->st_size,
		(uint64_t)st->st_mtim.tv_sec, (uint64_t)st->st_mtim.tv_nsec,
		(uint64_t)st->st_ctim.tv_sec, (uint64_t)st->st_ctim.tv_nsec};

	return XXH3_64bits(words, sizeof(words));
}

static bool settled(const struct stat *st)
{
	struct timespec now;
	int64_t age;

	clock_gettime(CLOCK_REALTIME, &now);
	age = (now.tv_sec - st->st_ctim.tv_sec) * INT64_C(1000000000) +
	      (now.tv_nsec - st->st_ctim.tv_nsec);
	return age > SETTLED_NS;
}

/* Gives the finished copy its name; when the content is there already, drops it. */
static int keep(struct dh_trace_files *f, const char *tmp, const char *hash, uint64_t size)
{
	DH_FREE char *path = dh_asprintf("%s/files/%s", f->dir, hash);

	if (access(path, F_OK) == 0)
		return unlink(tmp) < 0 ? -errno : 0;
	if (rename(tmp, path) < 0)
		return -errno;
	f->bytes += size;
	return 0;
}

static int store(struct dh_trace_files *f, int fd, char ret_hash[DH_TRACE_HASH_LEN + 1])
{
	DH_FREE char *tmp = dh_asprintf("%s/files/.new.XXXXXX", f->dir);
	DH_FD int to = mkostemp(tmp, O_CLOEXEC);
	char hash[DH_TRACE_HASH_LEN + 1];
	struct stat st;
	int r;

	if (to < 0)
		return -errno;
	fchmod(to, 0644);
	r = copy(fd, to);
	/* The copy is what counts: the original may change at any time. */
	if (r == 0)
		r = dh_trace_files_hash(to, hash);
	if (r == 0 && fstat(to, &st) < 0)
		r = -errno;
	if (r == 0)
		r = keep(f, tmp, hash, (uint64_t)st.st_size);
	if (r < 0)
		unlink(tmp);
	else
		memcpy(ret_hash, hash, sizeof(hash));
	return r;
}

int dh_trace_files_add(struct dh_trace_files *f, int fd, char ret_hash[DH_TRACE_HASH_LEN + 1],
	struct dh_error *err)
{
	struct stat before, after;
	uint64_t id;
	int r;

	if (fstat(fd, &before) < 0)
		return dh_error_set(
			err, errno, "cannot look at a mapped file: %s", strerror(errno));
	if (!S_ISREG(before.st_mode))
		return dh_error_set(err, EINVAL, "only regular files can be stored in a recording");
	if (dh_map_get(&f->known, identity(&before), &id)) {
		memcpy(ret_hash, dh_strset_get(&f->hashes, (uint32_t)id), DH_TRACE_HASH_LEN + 1);
		return 0;
	}
	r = store(f, fd, ret_hash);
	if (r < 0)
		return dh_error_set(
			err, -r, "%s/files: cannot store a mapped file: %s", f->dir, strerror(-r));
	if (fstat(fd, &after) == 0 && identity(&before) == identity(&after) && settled(&after))
		dh_map_set(&f->known, identity(&after), dh_strset_add(&f->hashes, ret_hash));
	return 0;
}

int dh_trace_files_verify(const char *dir, const char *hash, struct dh_error *err)
{
	DH_FREE char *path = NULL;
	DH_FD int fd = -1;
	char found[DH_TRACE_HASH_LEN + 1];
	struct stat st;
	int r;

	if (!dh_trace_hash_valid(hash))
		return dh_error_set(err, EINVAL, "%s: not the name of a stored file", dir);
	path = dh_asprintf("%s/files/%s", dir, hash);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && errno == ENOENT)
		return dh_error_set(err, EBADMSG, "%s: missing from the recording", path);
	if (fd < 0 || fstat(fd, &st) < 0)
		return dh_error_set(err, errno, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return dh_error_set(err, EBADMSG, "%s: not a regular file", path);
	r = dh_trace_files_hash(fd, found);
	if (r < 0)
		return dh_error_set(err, -r, "%s: %s", path, strerror(-r));
	if (strcmp(found, hash) != 0)
		return dh_error_set(
			err, EBADMSG, "%s: damaged (the content does not match its name)", path);
	return 0;
}
