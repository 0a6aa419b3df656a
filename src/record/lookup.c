#include "record/lookup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/fd.h"

#define DELETED " (deleted)"

static void fill(struct dh_ev_ref *ref, const struct statx *s)
{
	ref->mode = s->stx_mode;
	ref->dev = makedev(s->stx_dev_major, s->stx_dev_minor);
	ref->rdev = makedev(s->stx_rdev_major, s->stx_rdev_minor);
	ref->ino = s->stx_ino;
	ref->size = s->stx_size;
	/* A new file may get the number of a deleted one: the birth tells them apart. */
	if (s->stx_mask & STATX_BTIME)
		ref->birth_ns = (uint64_t)s->stx_btime.tv_sec * 1000000000u + s->stx_btime.tv_nsec;
}

static bool look(struct dh_ev_ref *ref, int dir, const char *path, int flags)
{
	struct statx s;

	if (statx(dir, path, flags | AT_NO_AUTOMOUNT, STATX_BASIC_STATS | STATX_BTIME, &s) < 0)
		return false;
	fill(ref, &s);
	return true;
}

/* The text of a link, "" when there is none. */
static void read_link(const char *link, char ret[PATH_SIZE])
{
	ssize_t n = readlink(link, ret, PATH_SIZE - 1);

	ret[n < 0 ? 0 : n] = '\0';
}

static void path_of(int fd, char ret[PATH_SIZE])
{
	char link[64];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	read_link(link, ret);
}

void dh_lookup_fd(struct lookup *l, pid_t tid, int fd)
{
	size_t n, tail = strlen(DELETED);
	char link[64];

	l->ref = (struct dh_ev_ref){.fd = fd};
	l->given[0] = l->path[0] = '\0';
	snprintf(link, sizeof(link), "/proc/%d/fd/%d", tid, fd);
	if (!look(&l->ref, AT_FDCWD, link, 0))
		return;
	read_link(link, l->path);
	n = strlen(l->path);
	if (n > tail && strcmp(l->path + n - tail, DELETED) == 0)
		l->path[n - tail] = '\0';
}

/* Joins and cleans: no "//", no "/./", ".." taken away with what is before it. */
static void absolute(char ret[PATH_SIZE], const char *base, const char *path)
{
	char text[2 * PATH_SIZE], *save = NULL;
	size_t n = 0;

	snprintf(text, sizeof(text), "%s/%s", path[0] == '/' ? "" : base, path);
	for (char *part = strtok_r(text, "/", &save); part; part = strtok_r(NULL, "/", &save)) {
		size_t len = strlen(part);

		if (strcmp(part, ".") == 0)
			continue;
		if (strcmp(part, "..") == 0) {
			while (n && ret[--n] != '/')
				;
			continue;
		}
		if (n + len + 2 > PATH_SIZE)
			break;
		ret[n++] = '/';
		memcpy(ret + n, part, len);
		n += len;
	}
	if (!n)
		ret[n++] = '/';
	ret[n] = '\0';
}

/* "self" in /proc is whoever asks: here it is the process. */
static void translate_self(char path[PATH_SIZE], pid_t pid)
{
	char text[PATH_SIZE];

	if (strncmp(path, "/proc/self", 10) != 0 || (path[10] != '/' && path[10]))
		return;
	snprintf(text, sizeof(text), "/proc/%d%.4000s", pid, path + 10);
	memcpy(path, text, sizeof(text));
}

/* Into a last link, unless it leads to "self". */
static void follow_link(struct lookup *l, int parent, const char *leaf)
{
	char target[PATH_SIZE];
	ssize_t n = readlinkat(parent, leaf, target, sizeof(target) - 1);
	struct dh_ev_ref ref = {.fd = -1};

	if (n < 0)
		return;
	target[n] = '\0';
	if (strncmp(target, "/proc/self", 10) == 0)
		return;
	DH_FD int fd = openat(parent, leaf, O_PATH | O_CLOEXEC);

	if (fd < 0 || !look(&ref, fd, "", AT_EMPTY_PATH))
		return;
	path_of(fd, target);
	if (!l->given[0])
		memcpy(l->given, l->path, sizeof(l->given));
	l->ref = ref;
	memcpy(l->path, target, sizeof(l->path));
}

/* The directory that the last name is in, as far as it exists. */
static int open_parent(char *path, char **ret_leaf)
{
	char *slash = strrchr(path, '/');
	int fd;

	*ret_leaf = slash + 1;
	if (slash == path)
		return open("/", O_PATH | O_CLOEXEC);
	*slash = '\0';
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	*slash = '/';
	return fd;
}

void dh_lookup_path(struct lookup *l, pid_t pid, int dir, const char *path, bool follow)
{
	char base[PATH_SIZE] = "", text[PATH_SIZE], link[64], *leaf;

	l->ref = (struct dh_ev_ref){.fd = -1};
	l->given[0] = '\0';
	if (dir == AT_FDCWD)
		snprintf(link, sizeof(link), "/proc/%d/cwd", pid);
	else
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", pid, dir);
	if (path[0] != '/')
		read_link(link, base);
	absolute(text, base, path);
	translate_self(text, pid);
	memcpy(l->path, text, sizeof(l->path));
	DH_FD int parent = open_parent(text, &leaf);

	if (parent < 0)
		return;
	path_of(parent, base);
	if (strcmp(base, "/") == 0)
		base[0] = '\0';
	if ((size_t)snprintf(l->path, sizeof(l->path), "%s/%s", base, leaf) >= sizeof(l->path))
		return;
	if (strcmp(l->path, text) != 0)
		memcpy(l->given, text, sizeof(l->given));
	if (!leaf[0]) {
		look(&l->ref, parent, "", AT_EMPTY_PATH);
		return;
	}
	if (look(&l->ref, parent, leaf, AT_SYMLINK_NOFOLLOW) && S_ISLNK(l->ref.mode) && follow)
		follow_link(l, parent, leaf);
}
