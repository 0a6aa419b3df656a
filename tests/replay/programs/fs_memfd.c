/* memfd_create: written, mapped, sealed. */
#include "t.h"

int main(void)
{
	char link[64], target[128];
	ssize_t n;
	char *m;
	int fd = TRY(memfd_create("thing", MFD_CLOEXEC | MFD_ALLOW_SEALING));

	TRY(ftruncate(fd, 8192));
	m = TRY(mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
	t_fill_random(m, 4096);
	TRY(munmap(m, 8192));
	TRY(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_WRITE));
	CHECK(ftruncate(fd, 10) == -1 && errno == EPERM);
	CHECK(write(fd, "x", 1) == -1 && errno == EPERM);
	CHECK(mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED);
	m = TRY(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0));
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = TRY(readlink(link, target, sizeof(target) - 1));
	target[n] = 0;
	say("%s seals %x hash %016lx\n", target, fcntl(fd, F_GET_SEALS), t_hash(m, 4096));
	return 0;
}
