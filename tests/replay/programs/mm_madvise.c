/* madvise: DONTNEED gives zeros or the file's bytes back, others are hints; FREE may. */
#include "t.h"

int main(void)
{
	size_t n = 8 * 4096;
	char *m = TRY(mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	char *f, data[4096];
	int fd, zeros = 0;

	memset(m, 'd', n);
	TRY(madvise(m + 4096, 2 * 4096, MADV_DONTNEED));
	CHECK(m[0] == 'd' && m[4096] == 0 && m[3 * 4096] == 'd');
	TRY(madvise(m, n, MADV_SEQUENTIAL));
	TRY(madvise(m, n, MADV_WILLNEED));
	CHECK(madvise(m, n, MADV_DONTFORK) == 0 && madvise(m, n, MADV_DOFORK) == 0);
	t_tmp();
	t_fill_random(data, sizeof(data));
	t_write_file("f", data, sizeof(data));
	fd = TRY(open("f", O_RDONLY));
	f = TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0));
	memset(f, 0, 4096);
	TRY(madvise(f, 4096, MADV_DONTNEED));
	CHECK(memcmp(f, data, 4096) == 0);
	memset(m, 'f', n);
	CHECK(madvise(m, n, MADV_FREE) == 0 || errno == EINVAL); /* older kernels lack it */
	for (size_t i = 0; i < n; i += 4096)
		zeros += m[i] == 0;
	say("freed pages seen as zero: %d, hash %016lx\n", zeros, t_hash(f, 4096));
	CHECK(madvise(m, n, 9999) == -1 && errno == EINVAL);
	return 0;
}
