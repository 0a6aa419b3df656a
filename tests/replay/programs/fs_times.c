/* Setting file times: now, kept, given; through five calls. */
#include "t.h"
#include <utime.h>

static void show(const char *how)
{
	struct stat st;

	TRY(stat("f", &st));
	say("%s: a %ld.%09ld m %ld.%09ld\n", how, st.st_atim.tv_sec, st.st_atim.tv_nsec,
		st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

int main(void)
{
	struct timespec omit[2] = {{0, UTIME_OMIT}, {77, 88}};
	struct timeval tv[2] = {{11, 22}, {33, 44}};
	struct utimbuf ub = {5, 6};
	int fd;

	t_tmp();
	t_write_file("f", "x", 1);
	fd = TRY(open("f", O_RDWR));
	show("fresh");
	TRY(utime("f", &ub));
	show("utime");
	TRY(utimes("f", tv));
	show("utimes");
	TRY(futimens(fd, omit));
	show("omit");
	TRY(futimens(fd, NULL));
	show("now");
	TRY(utimensat(AT_FDCWD, "f", omit, 0));
	show("utimensat");
	return 0;
}
