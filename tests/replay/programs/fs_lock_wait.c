/* F_SETLKW: two processes hand a counter in a file to each other under a lock. */
#include "t.h"

static void work(const char *who)
{
	int fd = TRY(open("f", O_RDWR));

	for (int i = 0; i < 20; i++) {
		struct flock fl = {.l_type = F_WRLCK};
		int v = 0;

		TRY(fcntl(fd, F_SETLKW, &fl));
		CHECK(pread(fd, &v, sizeof(v), 0) == sizeof(v));
		v++;
		CHECK(pwrite(fd, &v, sizeof(v), 0) == sizeof(v));
		say("%s %d\n", who, v);
		fl.l_type = F_UNLCK;
		TRY(fcntl(fd, F_SETLK, &fl));
		if (t_rand() % 3 == 0)
			t_sleep_us(t_rand_in(1, 300));
	}
}

int main(void)
{
	int zero = 0, v = 0, fd;
	pid_t pid;

	t_tmp();
	t_write_file("f", &zero, sizeof(zero));
	pid = TRY(fork());
	if (!pid) {
		work("child");
		_exit(0);
	}
	work("parent");
	CHECK(t_wait(pid) == 0);
	fd = TRY(open("f", O_RDONLY));
	CHECK(read(fd, &v, sizeof(v)) == sizeof(v) && v == 40);
	return 0;
}
