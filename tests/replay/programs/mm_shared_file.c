/* A shared file mapping and the file are one: each sees what went through the other. */
#include "t.h"

int main(void)
{
	char buf[64];
	char *m, *other;
	int fd;

	t_tmp();
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	TRY(ftruncate(fd, 8192));
	m = TRY(mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
	other = TRY(mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0));
	snprintf(m + 100, 40, "%016lx", t_rand());
	CHECK(strcmp(m + 100, other + 100) == 0);
	CHECK(pread(fd, buf, 17, 100) == 17);
	say("file has %s\n", buf);
	CHECK(strcmp(buf, m + 100) == 0);
	snprintf(buf, sizeof(buf), "%lu", t_now_ns());
	CHECK(pwrite(fd, buf, strlen(buf) + 1, 5000) == (ssize_t)strlen(buf) + 1);
	say("memory has %s\n", m + 5000);
	CHECK(strcmp(m + 5000, buf) == 0);
	TRY(msync(m, 8192, MS_SYNC));
	TRY(munmap(m, 8192));
	return 0;
}
