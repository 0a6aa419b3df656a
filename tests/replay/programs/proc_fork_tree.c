/* A tree of 15 processes, each waiting for its two children. */
#include "t.h"

static int grow(int depth)
{
	int sum = 1;
	pid_t pid[2];

	if (depth == 0)
		return 1;
	for (int i = 0; i < 2; i++) {
		pid[i] = TRY(fork());
		if (!pid[i])
			_exit(grow(depth - 1));
	}
	for (int i = 0; i < 2; i++)
		sum += WEXITSTATUS(t_wait(pid[i]));
	say("%d of %d at depth %d has %d\n", getpid(), getppid(), depth, sum);
	return sum;
}

int main(void)
{
	CHECK(grow(3) == 15);
	return 0;
}
