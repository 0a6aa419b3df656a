/* The raw getdents64 with a small buffer: names, inodes and cookies in the kernel's own order. */
#include "t.h"
#include <dirent.h>

int main(void)
{
	char buf[512], name[32];
	int fd, total = 0, calls = 0;
	long n;

	t_tmp();
	for (int i = 0; i < 60; i++) {
		snprintf(name, sizeof(name), "%08x", (unsigned)t_rand());
		t_write_file(name, name, 8);
	}
	fd = TRY(open(".", O_RDONLY | O_DIRECTORY));
	while ((n = TRY(syscall(SYS_getdents64, fd, buf, sizeof(buf)))) > 0) {
		calls++;
		for (long off = 0; off < n;) {
			struct dirent64 *d = (struct dirent64 *)(buf + off);

			say("%s %lu %ld %u\n", d->d_name, d->d_ino, d->d_off, d->d_type);
			off += d->d_reclen;
			total++;
		}
	}
	say("%d entries\n", total);
	CHECK(total == 62 && calls > 1);
	CHECK(syscall(SYS_getdents64, fd, buf, 1) <= 0);
	return 0;
}
