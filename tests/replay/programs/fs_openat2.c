/* openat2 with resolve flags that refuse to leave the directory or to follow links. */
#include "t.h"
#include <linux/openat2.h>

static long openat2(int dir, const char *path, uint64_t flags, uint64_t resolve)
{
	struct open_how how = {
		.flags = flags, .mode = flags & O_CREAT ? 0600 : 0, .resolve = resolve};

	return syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

int main(void)
{
	struct stat st;
	int dir;
	long fd;

	t_tmp();
	TRY(mkdir("d", 0755));
	dir = TRY(open("d", O_RDONLY | O_DIRECTORY));
	fd = openat2(dir, "f", O_RDWR | O_CREAT, RESOLVE_BENEATH);
	CHECK(fd >= 0 || errno == ENOSYS);
	if (fd < 0)
		return 0;
	TRY(fstat((int)fd, &st));
	say("inode %lu\n", st.st_ino);
	TRY(symlink("f", "d/l"));
	CHECK(openat2(dir, "../x", O_RDONLY, RESOLVE_BENEATH) == -1 && errno == EXDEV);
	CHECK(openat2(dir, "l", O_RDONLY, RESOLVE_NO_SYMLINKS) == -1 && errno == ELOOP);
	TRY(openat2(dir, "/f", O_RDONLY, RESOLVE_IN_ROOT));
	CHECK(openat2(dir, "f", O_RDONLY, 1u << 30) == -1 && errno == EINVAL);
	return 0;
}
