/* Where overlays are not allowed: copies of the working directory and of /tmp, all else read-only.
 */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "sandbox/internal.h"

#define COPY_MAX     (2048ull << 20) /* bytes of a working directory */
#define TMP_COPY_MAX (64ull << 20)
#define FILES_MAX    200000

static uint64_t total_bytes, total_files, bytes_max;

static int add_size(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)path, (void)type, (void)ftw;
	total_bytes += S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0;
	total_files++;
	return total_bytes > bytes_max || total_files > FILES_MAX;
}

static bool fits(const char *dir, uint64_t max)
{
	total_bytes = total_files = 0;
	bytes_max = max;
	return nftw(dir, add_size, 16, FTW_PHYS | FTW_MOUNT) == 0;
}

static int run_cp(const char *from, const char *to)
{
	DH_FREE char *inside = dh_asprintf("%s/.", from);
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		execlp("cp", "cp", "-a", "--reflink=auto", inside, to, (char *)NULL);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	/* 1: some files could not be read, which the program could not either. */
	return WIFEXITED(status) && WEXITSTATUS(status) <= 1 ? 0 : -EIO;
}

static int place_copy(struct dh_sandbox_build *b, const char *root, const char *dir, bool fill)
{
	DH_FREE char *copy = dh_asprintf("%s/upper%s", b->base, dir);
	DH_FREE char *to = dh_asprintf("%s%s", root, dir);
	struct stat st;
	int r = dh_mkdir_p(copy, 0755, b->err);

	if (r == 0 && fill)
		r = run_cp(dir, copy);
	if (r == 0 && stat(dir, &st) == 0)
		chmod(copy, st.st_mode & 07777);
	dh_mkdir_p(to, 0755, NULL); /* below /tmp it may not be there */
	if (r == 0 && mount(copy, to, NULL, MS_BIND, NULL) < 0)
		r = -errno;
	if (r < 0)
		return dh_error_set(
			b->err, -r, "no copy of %s for the sandbox: %s", dir, strerror(-r));
	return 0;
}

int dh_sandbox_mount_copies(struct dh_sandbox_build *b, const char *root)
{
	int r = dh_sandbox_bind_readonly("/", root);

	if (r < 0)
		return dh_error_set(b->err, -r, "no root for the sandbox: %s", strerror(-r));
	if (strcmp(b->cwd, "/") == 0 || !fits(b->cwd, COPY_MAX))
		return dh_error_set(b->err, EFBIG,
			"overlays are not allowed here, and %s is too large to copy; start in a "
			"smaller directory",
			b->cwd);
	b->inside.unwritable++;
	/* First /tmp: it would hide the copy of a working directory below. */
	r = place_copy(b, root, "/tmp", fits("/tmp", TMP_COPY_MAX));
	if (r == 0 && strcmp(b->cwd, "/tmp") != 0)
		r = place_copy(b, root, b->cwd, true);
	/* What is changed from now on has another time than the copies. */
	nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
	return r;
}
