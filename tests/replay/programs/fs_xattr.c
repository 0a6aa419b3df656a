/* Extended attributes by path, by link and by descriptor, where the file system has them. */
#include "t.h"
#include <sys/xattr.h>

int main(void)
{
	char v[64], got[64], list[256];
	ssize_t n;
	int fd;

	t_tmp();
	t_write_file("f", "x", 1);
	fd = TRY(open("f", O_RDWR));
	snprintf(v, sizeof(v), "%016lx", t_rand());
	if (setxattr("f", "user.a", v, strlen(v), XATTR_CREATE) < 0) {
		CHECK(errno == EOPNOTSUPP);
		say("no attributes here, pid %d\n", getpid());
		return 0;
	}
	CHECK(setxattr("f", "user.a", v, 1, XATTR_CREATE) == -1 && errno == EEXIST);
	TRY(fsetxattr(fd, "user.b", v, 4, 0));
	n = TRY(getxattr("f", "user.a", got, sizeof(got)));
	CHECK(n == 16 && memcmp(v, got, 16) == 0);
	say("a = %.16s\n", got);
	CHECK(fgetxattr(fd, "user.b", NULL, 0) == 4);
	CHECK(getxattr("f", "user.a", got, 3) == -1 && errno == ERANGE);
	n = TRY(flistxattr(fd, list, sizeof(list)));
	for (ssize_t i = 0; i < n; i += (ssize_t)strlen(list + i) + 1)
		say("has %s\n", list + i);
	TRY(removexattr("f", "user.a"));
	CHECK(lgetxattr("f", "user.a", got, sizeof(got)) == -1 && errno == ENODATA);
	TRY(fremovexattr(fd, "user.b"));
	return 0;
}
