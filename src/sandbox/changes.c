/* What was changed inside: the upper layers, walked from inside. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/internal.h"

#define CHANGES_MAX 200000
#define DEPTH_MAX   64

struct walk {
	struct dh_sandbox_change *list;
	size_t n, cap;
	bool copies; /* everything is there, changed or not: the time tells */
	int64_t since_ns;
};

static uint64_t hash_file(int dir, const char *name)
{
	DH_FD int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	XXH3_state_t *state = XXH3_createState();
	char buf[65536];
	uint64_t hash = 0;
	ssize_t n;

	XXH3_64bits_reset(state);
	while (fd >= 0 && (n = read(fd, buf, sizeof(buf))) > 0)
		XXH3_64bits_update(state, buf, (size_t)n);
	if (fd >= 0)
		hash = XXH3_64bits_digest(state);
	XXH3_freeState(state);
	return hash;
}

static uint64_t hash_link(int dir, const char *name)
{
	char target[4096];
	ssize_t n = readlinkat(dir, name, target, sizeof(target));

	return n < 0 ? 0 : XXH3_64bits(target, (size_t)n);
}

static void note(struct walk *w, int dir, const char *name, const char *path, const struct stat *st)
{
	struct dh_sandbox_change *c;

	if (w->n >= CHANGES_MAX)
		return;
	if (w->copies &&
		(int64_t)st->st_ctim.tv_sec * 1000000000 + st->st_ctim.tv_nsec < w->since_ns)
		return;
	DH_GROW(w->list, w->n, w->cap);
	c = &w->list[w->n++];
	*c = (struct dh_sandbox_change){.path = dh_strdup(path), .mode = st->st_mode};
	c->removed = S_ISCHR(st->st_mode) && st->st_rdev == makedev(0, 0);
	if (S_ISREG(st->st_mode)) {
		c->size = (uint64_t)st->st_size;
		c->hash = hash_file(dir, name);
	} else if (S_ISLNK(st->st_mode)) {
		c->hash = hash_link(dir, name);
	}
}

static void walk(struct walk *w, int dir, const char *path, int depth)
{
	DIR *d = fdopendir(dir);
	struct dirent *e;
	struct stat st;

	if (!d) {
		close(dir);
		return;
	}
	while ((e = readdir(d))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
			fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		DH_FREE char *child = dh_asprintf("%s/%s", path, e->d_name);

		if (!S_ISDIR(st.st_mode)) {
			note(w, dirfd(d), e->d_name, child, &st);
			continue;
		}
		int sub = openat(
			dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

		if (sub >= 0 && depth < DEPTH_MAX)
			walk(w, sub, child, depth + 1);
		else
			dh_closep(&sub);
	}
	closedir(d);
}

static int by_path(const void *a, const void *b)
{
	const struct dh_sandbox_change *x = a, *y = b;

	return strcmp(x->path, y->path);
}

bool dh_sandbox_made_inside(const struct dh_sandbox_inside *inside, const struct stat *st)
{
	/* Nothing changes the time at which a file's node was last changed to an earlier one. */
	return (int64_t)st->st_ctim.tv_sec * 1000000000 + st->st_ctim.tv_nsec >= inside->began_ns;
}

int dh_sandbox_changes(const struct dh_sandbox_inside *inside,
	void (*each)(void *cookie, const struct dh_sandbox_change *c), void *cookie)
{
	struct walk w = {.copies = inside->layer == DH_SANDBOX_COPY, .since_ns = inside->began_ns};
	int fd = openat(inside->upper_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	walk(&w, fd, "", 0);
	if (w.n)
		qsort(w.list, w.n, sizeof(*w.list), by_path);
	for (size_t i = 0; i < w.n; i++) {
		each(cookie, &w.list[i]);
		free((char *)w.list[i].path);
	}
	free(w.list);
	return (int)w.n;
}
