/* One write of 8 MiB and one read of it. */
#include "t.h"

int main(void)
{
	size_t size = 8u << 20;
	uint64_t *data = malloc(size), *got = malloc(size);
	int fd;

	CHECK(data && got);
	t_tmp();
	for (size_t i = 0; i < size / 8; i++)
		data[i] = t_rand();
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	CHECK(write(fd, data, size) == (ssize_t)size);
	TRY(lseek(fd, 0, SEEK_SET));
	CHECK(read(fd, got, size) == (ssize_t)size);
	CHECK(memcmp(data, got, size) == 0);
	say("hash %016lx\n", t_hash(got, 1u << 20));
	free(data);
	free(got);
	return 0;
}
