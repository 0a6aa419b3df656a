/* The auxiliary vector: AT_RANDOM's bytes, entry, page size, ids, the executable's name. */
#include "t.h"
#include <elf.h>
#include <sys/auxv.h>

int main(void)
{
	const unsigned char *r = (const unsigned char *)getauxval(AT_RANDOM);
	Elf64_auxv_t av[64];
	int fd = TRY(open("/proc/self/auxv", O_RDONLY));
	ssize_t n = TRY(read(fd, av, sizeof(av)));

	CHECK(r);
	for (int i = 0; i < 16; i++)
		say("%02x", r[i]);
	say("\npage %lu uid %lu secure %lu hwcap %lx phdr %lx entry %lx\n", getauxval(AT_PAGESZ),
		getauxval(AT_UID), getauxval(AT_SECURE), getauxval(AT_HWCAP), getauxval(AT_PHDR),
		getauxval(AT_ENTRY));
	CHECK(getauxval(AT_EXECFN) && getauxval(AT_PAGESZ) == 4096);
	say("%ld entries, hash %016lx\n", n / (long)sizeof(av[0]), t_hash(av, (size_t)n));
	errno = 0;
	CHECK(getauxval(9999) == 0 && errno == ENOENT);
	return 0;
}
