#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"

void dh_closep(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	errno = saved;
}

ssize_t dh_read_full(int fd, void *p, size_t n)
{
	size_t got = 0;

	while (got < n) {
		ssize_t r = read(fd, (char *)p + got, n - got);

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

int dh_write_full(int fd, const void *p, size_t n)
{
	size_t put = 0;

	while (put < n) {
		ssize_t r = write(fd, (const char *)p + put, n - put);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		put += (size_t)r;
	}
	return 0;
}

int dh_read_fd(int fd, size_t max, struct dh_buf *buf)
{
	size_t start = buf->len;

	for (;;) {
		char *to = dh_buf_reserve(buf, 16384);
		ssize_t r = dh_read_full(fd, to, 16384);

		if (r < 0)
			return (int)r;
		buf->len += (size_t)r;
		buf->data[buf->len] = '\0';
		if (buf->len - start > max)
			return -EFBIG;
		if (r < 16384)
			return 0;
	}
}

int dh_read_file(const char *path, size_t max, struct dh_buf *buf, struct dh_error *err)
{
	DH_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	int r;

	if (fd < 0)
		return dh_error_set(err, errno, "%s: %s", path, strerror(errno));
	r = dh_read_fd(fd, max, buf);
	if (r == -EFBIG)
		return dh_error_set(err, EFBIG, "%s: larger than %zu bytes", path, max);
	if (r < 0)
		return dh_error_set(err, -r, "%s: %s", path, strerror(-r));
	return 0;
}

/* Devices and pipes are written to, not replaced: /dev/null must stay what it is. */
static int write_in_place(const char *path, const void *p, size_t n, struct dh_error *err)
{
	DH_FD int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	int r = fd < 0 ? -errno : dh_write_full(fd, p, n);

	return r < 0 ? dh_error_set(err, -r, "%s: %s", path, strerror(-r)) : 0;
}

static bool is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static int replace_file(const char *path, const void *p, size_t n, bool sync, struct dh_error *err)
{
	DH_FREE char *tmp = dh_asprintf("%s.XXXXXX", path);
	DH_FD int fd = mkostemp(tmp, O_CLOEXEC);
	int r;

	if (fd < 0)
		return dh_error_set(err, errno, "%s: %s", path, strerror(errno));
	fchmod(fd, 0644);
	r = dh_write_full(fd, p, n);
	if (r == 0 && sync && fsync(fd) < 0)
		r = -errno;
	if (r == 0 && rename(tmp, path) < 0)
		r = -errno;
	if (r < 0) {
		unlink(tmp);
		return dh_error_set(err, -r, "%s: %s", path, strerror(-r));
	}
	return 0;
}

int dh_write_file_atomic(const char *path, const void *p, size_t n, struct dh_error *err)
{
	return is_special(path) ? write_in_place(path, p, n, err)
				: replace_file(path, p, n, true, err);
}

int dh_write_file_unsynced(const char *path, const void *p, size_t n, struct dh_error *err)
{
	return replace_file(path, p, n, false, err);
}

int dh_mkdir_p(const char *path, mode_t mode, struct dh_error *err)
{
	DH_FREE char *copy = dh_strdup(path);
	struct stat st;

	for (char *s = copy + 1; *copy && *s; s++) {
		if (*s != '/')
			continue;
		*s = '\0';
		if (mkdir(copy, mode) < 0 && errno != EEXIST)
			return dh_error_set(err, errno, "%s: %s", copy, strerror(errno));
		*s = '/';
	}
	if (mkdir(path, mode) < 0) {
		if (errno != EEXIST)
			return dh_error_set(err, errno, "%s: %s", path, strerror(errno));
		if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
			return dh_error_set(err, ENOTDIR, "%s: not a directory", path);
	}
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path) < 0 && errno != ENOENT ? -1 : 0;
}

int dh_remove_tree(const char *path)
{
	if (nftw(path, remove_one, 32, FTW_DEPTH | FTW_PHYS) < 0 && errno != ENOENT)
		return -errno;
	return 0;
}

int dh_self_path(char *ret, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", ret, size);
	const char *started;
	char *real;

	if (n >= 0 && (size_t)n < size) {
		ret[n] = '\0';
		return 0;
	}
	/* Without /proc: what execve was given, as seen from the folder where we started. */
	started = (const char *)getauxval(AT_EXECFN);
	real = started ? realpath(started, NULL) : NULL;
	if (!real)
		return started ? -errno : -ENOENT;
	n = snprintf(ret, size, "%s", real);
	free(real);
	return (size_t)n < size ? 0 : -ENAMETOOLONG;
}

int dh_self_dir(char *ret, size_t size)
{
	int r = dh_self_path(ret, size);

	if (r == 0)
		*strrchr(ret, '/') = '\0';
	return r;
}
