/* A private file mapping: the file's bytes, with copy on write. */
#include "t.h"

int main(void)
{
	char data[10000], back[10000];
	char *m;
	int fd;

	t_tmp();
	t_fill_random(data, sizeof(data));
	t_write_file("f", data, sizeof(data));
	fd = TRY(open("f", O_RDONLY));
	m = TRY(mmap(NULL, sizeof(data), PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0));
	CHECK(memcmp(m, data, sizeof(data)) == 0);
	memset(m + 100, 'x', 5000);
	CHECK(pread(fd, back, sizeof(back), 0) == sizeof(back));
	CHECK(memcmp(back, data, sizeof(data)) == 0);
	for (int i = 10000; i < 12288; i++)
		CHECK(m[i] == 0);
	say("hash %016lx\n", t_hash(m, sizeof(data)));
	TRY(munmap(m, sizeof(data)));
	m = TRY(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 4096));
	CHECK(memcmp(m, data + 4096, 4096) == 0);
	CHECK(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 77) == MAP_FAILED && errno == EINVAL);
	CHECK(mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED && errno == EACCES);
	return 0;
}
