/* chmod, fchmod, umask, access, faccessat2. */
#include "t.h"

static unsigned mode(const char *f)
{
	struct stat st;

	TRY(stat(f, &st));
	return st.st_mode & 07777;
}

int main(void)
{
	mode_t old = umask(027);
	struct stat st;
	int fd;

	t_tmp();
	fd = TRY(open("f", O_RDWR | O_CREAT, 0777));
	say("umask was %o, made %o\n", old, mode("f"));
	CHECK(mode("f") == 0750);
	TRY(chmod("f", 0444));
	CHECK(mode("f") == 0444);
	TRY(fchmod(fd, 01640));
	say("mode %o\n", mode("f"));
	TRY(mkdir("d", 0777));
	CHECK(mode("d") == 0750);
	TRY(access("f", R_OK | W_OK));
	CHECK(access("none", F_OK) == -1 && errno == ENOENT);
	TRY(faccessat(AT_FDCWD, "f", R_OK, AT_EACCESS));
	CHECK(faccessat(AT_FDCWD, "f", X_OK, 0) == -1 && errno == EACCES);
	TRY(fstat(fd, &st));
	say("uid %d gid %d ctime %ld.%09ld\n", st.st_uid, st.st_gid, st.st_ctim.tv_sec,
		st.st_ctim.tv_nsec);
	CHECK(umask(old) == 027);
	return 0;
}
