/* A hundred children one after another, and thirty at once. */
#include "t.h"

int main(void)
{
	uint64_t mix = 0;
	int sum = 0, status;

	for (int i = 0; i < 100; i++) {
		pid_t pid = TRY(fork());

		if (!pid)
			_exit(i);
		sum += WEXITSTATUS(t_wait(pid));
		mix = mix * 31 + (uint64_t)pid;
	}
	CHECK(sum == 4950);
	for (int i = 0; i < 30; i++)
		if (TRY(fork()) == 0)
			_exit(i);
	for (int i = 0; i < 30; i++) {
		mix = mix * 31 + (uint64_t)TRY(wait(&status));
		say("%d ", WEXITSTATUS(status));
	}
	say("\nmix %016lx\n", mix);
	return 0;
}
