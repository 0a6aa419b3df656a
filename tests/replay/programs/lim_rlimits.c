/* getrlimit, setrlimit, prlimit over all resources. */
#include "t.h"

int main(void)
{
	struct rlimit rl, got;

	for (unsigned i = 0; i < RLIM_NLIMITS; i++) {
		TRY(getrlimit((__rlimit_resource_t)i, &rl));
		say("%u: %lx %lx\n", i, rl.rlim_cur, rl.rlim_max);
	}
	TRY(getrlimit(RLIMIT_CORE, &rl));
	rl.rlim_cur = 0;
	TRY(setrlimit(RLIMIT_CORE, &rl));
	TRY(prlimit(0, RLIMIT_CORE, NULL, &got));
	CHECK(got.rlim_cur == 0);
	rl.rlim_cur = 10;
	rl.rlim_max = 5;
	CHECK(setrlimit(RLIMIT_CORE, &rl) == -1 && errno == EINVAL);
	CHECK(getrlimit((__rlimit_resource_t)99, &rl) == -1 && errno == EINVAL);
	say("pid %d\n", getpid());
	return 0;
}
