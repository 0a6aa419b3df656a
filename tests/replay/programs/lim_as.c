/* RLIMIT_AS: allocation fails in an orderly way. */
#include "t.h"

int main(void)
{
	struct rlimit rl;
	int n = 0;

	TRY(getrlimit(RLIMIT_AS, &rl));
	rl.rlim_cur = 256u << 20;
	TRY(setrlimit(RLIMIT_AS, &rl));
	while (n < 1000 &&
		mmap(NULL, 1u << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		n++;
	CHECK(errno == ENOMEM && n < 256);
	say("%d times one MiB, pid %d\n", n, getpid());
	CHECK(malloc(64u << 20) == NULL);
	return 0;
}
