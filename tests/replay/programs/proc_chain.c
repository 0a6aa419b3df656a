/* A chain of ten processes, each the child of the one before. */
#include "t.h"

static int link_in(int n)
{
	pid_t pid;
	int status;

	if (n == 10)
		return 1;
	pid = TRY(fork());
	if (!pid)
		_exit(link_in(n + 1));
	status = t_wait(pid);
	say("%d: %d had %d\n", n, getpid(), pid);
	return WEXITSTATUS(status) + 1;
}

int main(void)
{
	CHECK(link_in(0) == 11);
	return 0;
}
