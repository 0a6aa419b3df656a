/* readv and writev with many parts, short reads at the end of the file. */
#include "t.h"

int main(void)
{
	static char data[40][37], got[40][41];
	struct iovec w[40], r[40];
	ssize_t n;
	int fd;

	t_tmp();
	t_fill_random(data, sizeof(data));
	for (int i = 0; i < 40; i++) {
		w[i] = (struct iovec){data[i], sizeof(data[i])};
		r[i] = (struct iovec){got[i], sizeof(got[i])};
	}
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	CHECK(writev(fd, w, 40) == 40 * 37);
	TRY(lseek(fd, 0, SEEK_SET));
	n = TRY(readv(fd, r, 40));
	CHECK(n == 40 * 37 && memcmp(data, got, sizeof(data)) == 0);
	say("hash %016lx\n", t_hash(got, sizeof(got)));
	CHECK(readv(fd, r, 40) == 0);
	CHECK(writev(fd, NULL, 0) == 0);
	return 0;
}
