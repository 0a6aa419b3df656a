/* statx with different masks, on a path, a descriptor and a link. */
#include "t.h"

static void show(const char *how, const struct statx *x)
{
	say("%s: mask %x ino %llu size %llu birth %lld.%09u mnt %llx dev %u:%u\n", how, x->stx_mask,
		(unsigned long long)x->stx_ino, (unsigned long long)x->stx_size,
		(long long)x->stx_btime.tv_sec, x->stx_btime.tv_nsec,
		(unsigned long long)x->stx_mnt_id, x->stx_dev_major, x->stx_dev_minor);
}

int main(void)
{
	struct statx x = {0};
	int fd;

	t_tmp();
	t_write_file("f", "abc", 3);
	TRY(symlink("f", "l"));
	TRY(statx(AT_FDCWD, "f", 0, STATX_ALL, &x));
	show("all", &x);
	CHECK(x.stx_size == 3);
	TRY(statx(AT_FDCWD, "l", AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &x));
	show("link", &x);
	CHECK(S_ISLNK(x.stx_mode));
	fd = TRY(open("f", O_RDONLY));
	TRY(statx(fd, "", AT_EMPTY_PATH, STATX_SIZE | STATX_BTIME, &x));
	show("fd", &x);
	CHECK(statx(AT_FDCWD, "gone", 0, STATX_ALL, &x) == -1 && errno == ENOENT);
	return 0;
}
