/* Two maps of one file, and read() from it into a third: everything agrees. */
#include "t.h"

int main(void)
{
	char *m, *n;
	int fd;

	t_tmp();
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	TRY(ftruncate(fd, 65536));
	m = TRY(mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
	n = TRY(mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	for (int round = 0; round < 10; round++) {
		size_t off = t_rand() % 60000;

		t_fill_random(m + off, 5000);
		CHECK(pread(fd, n, 65536, 0) == 65536);
		CHECK(memcmp(m, n, 65536) == 0);
		say("%d: %zu %016lx\n", round, off, t_hash(n, 65536));
		CHECK(pread(fd, m, 1000, 3000) == 1000); /* into the mapping itself */
	}
	return 0;
}
