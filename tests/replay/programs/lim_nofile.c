/* RLIMIT_NOFILE: open until EMFILE. */
#include "t.h"

int main(void)
{
	struct rlimit rl;
	int n = 0, last = -1, fd;

	TRY(getrlimit(RLIMIT_NOFILE, &rl));
	rl.rlim_cur = t_rand_in(20, 60);
	TRY(setrlimit(RLIMIT_NOFILE, &rl));
	while ((fd = open("/dev/null", O_RDONLY)) >= 0) {
		last = fd;
		n++;
	}
	CHECK(errno == EMFILE && last == (int)rl.rlim_cur - 1);
	say("limit %lu opened %d last %d\n", rl.rlim_cur, n, last);
	CHECK(dup(0) == -1 && errno == EMFILE);
	TRY(close(last));
	CHECK(TRY(dup(0)) == last);
	return 0;
}
