/* chown to oneself, and to root: allowed to root only. */
#include "t.h"

int main(void)
{
	struct stat st;
	int fd, r;

	t_tmp();
	t_write_file("f", "x", 1);
	TRY(symlink("f", "l"));
	fd = TRY(open("f", O_RDONLY));
	TRY(chown("f", getuid(), getgid()));
	TRY(fchown(fd, (uid_t)-1, getgid()));
	TRY(lchown("l", getuid(), (gid_t)-1));
	r = chown("f", 12345, 54321);
	CHECK(r == 0 || errno == EPERM || errno == EINVAL);
	TRY(stat("f", &st));
	say("chown %d: uid %d gid %d ctime %ld.%09ld\n", r, st.st_uid, st.st_gid, st.st_ctim.tv_sec,
		st.st_ctim.tv_nsec);
	return 0;
}
