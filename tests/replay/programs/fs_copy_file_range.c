/* copy_file_range with and without offsets. */
#include "t.h"

int main(void)
{
	char data[10000], got[10000];
	loff_t from = 2000, to = 500;
	ssize_t n;
	int a, b;

	t_tmp();
	t_fill_random(data, sizeof(data));
	t_write_file("a", data, sizeof(data));
	a = TRY(open("a", O_RDONLY));
	b = TRY(open("b", O_RDWR | O_CREAT, 0600));
	n = TRY(copy_file_range(a, &from, b, &to, 3000, 0));
	CHECK(n > 0 && from == 2000 + n && to == 500 + n);
	say("copied %zd\n", n);
	CHECK(pread(b, got, (size_t)n, 500) == n);
	CHECK(memcmp(got, data + 2000, (size_t)n) == 0);
	n = TRY(copy_file_range(a, NULL, b, NULL, sizeof(data), 0));
	say("copied %zd, at %ld and %ld\n", n, lseek(a, 0, SEEK_CUR), lseek(b, 0, SEEK_CUR));
	CHECK(pread(b, got, (size_t)n, 0) == n);
	say("hash %016lx\n", t_hash(got, (size_t)n));
	CHECK(copy_file_range(a, NULL, b, NULL, 1, 77) == -1 && errno == EINVAL);
	return 0;
}
