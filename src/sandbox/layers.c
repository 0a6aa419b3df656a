/* The file systems of a sandbox: an overlay over each directory of /, so that everything can be
 * written to and nothing is.
 *
 * An overlay over / itself is refused in a user namespace, because what is mounted below is locked
 * to it.  The same holds for any directory with mounts below: it becomes a plain directory here
 * whose entries are covered one by one, down to the mount points, which can be covered themselves.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "sandbox/internal.h"

#define DEPTH_MAX     6
#define MOUNTS_MAX    2000
#define MOUNTINFO_MAX (4u << 20)
#define NOBODY        65534 /* whom those without an id here are shown as */

static int cover(struct dh_sandbox_build *b, const char *path, int depth);

/* In the options of a mount these would mean something. */
static bool has_special_bytes(const char *path)
{
	return strpbrk(path, ",:\\\"") != NULL;
}

static int overlay(struct dh_sandbox_build *b, const char *path)
{
	DH_FREE char *up = dh_asprintf("%s/upper%s", b->base, path);
	DH_FREE char *work = dh_asprintf("%s/work/%d", b->base, b->n_mounts);
	DH_FREE char *to = dh_asprintf("%s/root%s", b->base, path);
	DH_FREE char *options = NULL;
	struct stat st;
	int r;

	if (has_special_bytes(path) || has_special_bytes(b->base))
		return -EINVAL;
	r = dh_mkdir_p(up, 0755, NULL);
	if (r == 0 && mkdir(work, 0700) < 0 && errno != EEXIST)
		r = -errno;
	if (r < 0)
		return r;
	/* The upper directory's own mode and owner are what the merged one shows. */
	if (stat(path, &st) == 0 && chown(up, st.st_uid, st.st_gid) == 0)
		chmod(up, st.st_mode & 07777);
	options = dh_asprintf("lowerdir=%s,upperdir=%s,workdir=%s%s", path, up, work,
		b->inside.userns ? ",userxattr" : "");
	if (mount("overlay", to, "overlay", 0, options) < 0)
		return -errno;
	b->n_mounts++;
	return 0;
}

static int show_link(struct dh_sandbox_build *b, const char *path)
{
	DH_FREE char *to = dh_asprintf("%s/root%s", b->base, path);
	char target[4096];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	if (n < 0)
		return -errno;
	target[n] = '\0';
	return symlink(target, to) < 0 ? -errno : 0;
}

static int show_readonly(struct dh_sandbox_build *b, const char *path, bool is_dir)
{
	DH_FREE char *to = dh_asprintf("%s/root%s", b->base, path);
	int r = is_dir ? 0 : dh_sandbox_touch(to);

	if (r == 0)
		r = dh_sandbox_bind_readonly(path, to);
	if (r == 0 && is_dir)
		b->inside.unwritable++;
	b->n_mounts++;
	return r;
}

static int cover_entries(struct dh_sandbox_build *b, const char *path, int depth)
{
	const char *slash = strcmp(path, "/") == 0 ? "" : path;
	DIR *d = opendir(path);
	struct dirent *e;

	if (!d)
		return -errno;
	while ((e = readdir(d))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (depth == 0 && dh_sandbox_is_special(e->d_name))
			continue;
		DH_FREE char *child = dh_asprintf("%s/%s", slash, e->d_name);

		/* What cannot be shown at all is not there: better than an escape. */
		cover(b, child, depth + 1);
	}
	closedir(d);
	return 0;
}

static bool leads_to(const char *path, const char *place)
{
	size_t n = strlen(path);

	return place && strncmp(place, path, n) == 0 && place[n] == '/';
}

/* The place in a line of mountinfo: blanks and the like are in octal there. */
static void add_place(const char *line, struct dh_buf *out)
{
	unsigned code;
	int n = 0;

	if (sscanf(line, "%*s %*s %*s %*s %n", &n) < 0 || !n)
		return;
	for (line += n; *line && *line != ' '; line++) {
		if (*line == '\\' && sscanf(line + 1, "%3o", &code) == 1) {
			dh_buf_addc(out, (char)code);
			line += 3;
		} else {
			dh_buf_addc(out, *line);
		}
	}
	dh_buf_addc(out, '\0');
}

/* Before we mount anything ourselves.  What is not found here is found by trying, which takes
 * milliseconds each time: the kernel undoes a refused overlay at its leisure. */
static void find_places(struct dh_sandbox_build *b)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;

	dh_buf_clear(&b->places);
	if (dh_read_file("/proc/self/mountinfo", MOUNTINFO_MAX, &text, NULL) < 0)
		return;
	for (char *line = text.data, *end; line && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		add_place(line, &b->places);
	}
}

static bool has_mounts_below(const struct dh_sandbox_build *b, const char *path)
{
	for (size_t i = 0; i < b->places.len; i += strlen(b->places.data + i) + 1)
		if (leads_to(path, b->places.data + i))
			return true;
	return false;
}

/* Without other users' ids a directory that is not ours cannot be copied into an upper layer, and
 * so nothing below it either: on the way to where programs write, an overlay begins behind it. */
static bool must_begin_behind(const struct dh_sandbox_build *b, const char *path, uid_t owner)
{
	return geteuid() != 0 && (owner != geteuid() || owner == NOBODY) &&
	       (leads_to(path, b->cwd) || leads_to(path, getenv("HOME")) ||
		       leads_to(path, getenv("TMPDIR")) || leads_to(path, "/var/tmp"));
}

static int cover_directory(
	struct dh_sandbox_build *b, const char *path, int depth, const struct stat *st)
{
	DH_FREE char *to = dh_asprintf("%s/root%s", b->base, path);

	if (mkdir(to, 0755) < 0 && errno != EEXIST)
		return -errno;
	if (!must_begin_behind(b, path, st->st_uid) && !has_mounts_below(b, path) &&
		overlay(b, path) == 0)
		return 0;
	if (depth < DEPTH_MAX && b->n_mounts < MOUNTS_MAX && cover_entries(b, path, depth) == 0) {
		chmod(to, st->st_mode & 07777);
		return 0;
	}
	return show_readonly(b, path, true);
}

static int cover(struct dh_sandbox_build *b, const char *path, int depth)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return -errno;
	switch (st.st_mode & S_IFMT) {
	case S_IFDIR:
		return cover_directory(b, path, depth, &st);
	case S_IFLNK:
		return show_link(b, path);
	case S_IFREG:
		return show_readonly(b, path, false);
	default:
		return 0;
	}
}

/* Layers in memory vanish by themselves, but the memory must be able to mark directories. */
static bool marks_work(const char *dir, bool userns)
{
	const char *name = userns ? "user.overlay.deadheat" : "trusted.overlay.deadheat";

	if (setxattr(dir, name, "y", 1, 0) < 0)
		return false;
	removexattr(dir, name);
	return true;
}

static int prepare_base(struct dh_sandbox_build *b)
{
	static const char *const names[] = {"upper", "work", "root"};
	char path[4200];

	if (!b->opt->on_disk && mount("deadheat", b->base, "tmpfs", 0, "mode=700") == 0 &&
		!b->opt->no_overlay && !marks_work(b->base, b->inside.userns))
		umount2(b->base, MNT_DETACH);
	for (size_t i = 0; i < DH_ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", b->base, names[i]);
		if (mkdir(path, 0755) < 0)
			return dh_error_set(b->err, errno, "%s: %s", path, strerror(errno));
	}
	if (mount("deadheat", path, "tmpfs", 0, "mode=755") < 0)
		return dh_error_set(b->err, errno, "no root for the sandbox: %s", strerror(errno));
	snprintf(path, sizeof(path), "%s/upper", b->base);
	b->inside.upper_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return b->inside.upper_fd < 0 ? -errno : 0;
}

/* Whether an overlay is possible at all: one over an empty directory of ours. */
static bool overlay_works(struct dh_sandbox_build *b)
{
	char path[4200], options[9000];
	bool works;

	if (b->opt->no_overlay)
		return false;
	snprintf(path, sizeof(path), "%s/work/try", b->base);
	mkdir(path, 0700);
	for (const char *const *n = (const char *const[]){"low", "up", "work", "at", NULL}; *n;
		n++) {
		snprintf(path, sizeof(path), "%s/work/try/%s", b->base, *n);
		mkdir(path, 0700);
	}
	snprintf(options, sizeof(options),
		"lowerdir=%s/work/try/low,upperdir=%s/work/try/up,workdir=%s/work/try/work%s",
		b->base, b->base, b->base, b->inside.userns ? ",userxattr" : "");
	works = mount("overlay", path, "overlay", 0, options) == 0;
	if (works)
		umount2(path, MNT_DETACH);
	return works;
}

static int become_root(struct dh_sandbox_build *b, const char *root)
{
	if (chdir(root) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 ||
		umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
		return dh_error_set(
			b->err, errno, "the sandbox cannot have its own root: %s", strerror(errno));
	if (chdir(b->cwd) < 0)
		return dh_error_set(
			b->err, errno, "%s: not in the sandbox (%s)", b->cwd, strerror(errno));
	return 0;
}

/* Must look the same inside whenever it is looked at. */
static void hide(const char *root, const char *dir)
{
	DH_FREE char *path = dh_asprintf("%s%s", root, dir);

	if (access(path, F_OK) == 0)
		mount("deadheat", path, "tmpfs", 0, "mode=755,size=16m");
}

static void hide_all(struct dh_sandbox_build *b, const char *root)
{
	DH_FREE char *place = dh_strdup(b->base);

	*strrchr(place, '/') = '\0';
	if (b->hide_place)
		hide(root, place);
	for (const char *const *d = b->opt->hide; d && *d; d++)
		hide(root, *d);
}

int dh_sandbox_mount_all(struct dh_sandbox_build *b)
{
	DH_FREE char *root = dh_asprintf("%s/root", b->base);
	int r;

	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return dh_error_set(b->err, ENOTSUP,
			"mounts cannot be made private (%s); in a plain chroot, mount --bind DIR "
			"DIR before chroot DIR",
			strerror(errno));
	find_places(b);
	r = prepare_base(b);
	if (r < 0)
		return r;
	umask(0);
	if (overlay_works(b)) {
		b->inside.layer = DH_SANDBOX_OVERLAY;
		r = cover_entries(b, "/", 0);
	} else {
		b->inside.layer = DH_SANDBOX_COPY;
		r = dh_sandbox_mount_copies(b, root);
	}
	if (r == 0)
		r = dh_sandbox_mount_special(b, root);
	if (r < 0)
		return r;
	hide_all(b, root);
	return become_root(b, root);
}
