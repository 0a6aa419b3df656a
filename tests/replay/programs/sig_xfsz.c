/* RLIMIT_FSIZE: a write across the limit is cut, the next one brings SIGXFSZ and EFBIG. */
#include "t.h"

static volatile sig_atomic_t got;

static void on_xfsz(int sig)
{
	say("signal %d\n", sig);
	got = 1;
}

int main(void)
{
	struct rlimit rl;
	char buf[1000] = {0};
	off_t limit = (off_t)t_rand_in(1100, 1900);
	int fd;

	t_tmp();
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	t_on(SIGXFSZ, on_xfsz, 0);
	TRY(getrlimit(RLIMIT_FSIZE, &rl));
	rl.rlim_cur = (rlim_t)limit;
	TRY(setrlimit(RLIMIT_FSIZE, &rl));
	CHECK(write(fd, buf, 1000) == 1000);
	CHECK(write(fd, buf, 1000) == limit - 1000 && !got);
	CHECK(write(fd, buf, 1) == -1 && errno == EFBIG && got);
	CHECK(ftruncate(fd, limit + 1) == -1 && errno == EFBIG);
	say("limit %ld\n", limit);
	return 0;
}
