/* Huge page hints and large areas touched thinly. */
#include "t.h"

int main(void)
{
	size_t n = 64u << 20;
	char *m = TRY(mmap(NULL, n, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
	char *h;
	int r = madvise(m, n, MADV_HUGEPAGE);
	uint64_t sum = 0;

	say("hint %d\n", r < 0 ? errno : 0);
	for (size_t i = 0; i < n; i += 1u << 20)
		m[i + t_rand() % 4096] = (char)(i >> 20);
	for (size_t i = 0; i < n; i += 1u << 20)
		sum = sum * 31 + t_hash(m + i, 4096);
	say("sum %016lx\n", sum);
	h = mmap(NULL, 2u << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB,
		-1, 0);
	say("hugetlb %d\n", h == MAP_FAILED ? errno : 0);
	TRY(munmap(m, n));
	return 0;
}
