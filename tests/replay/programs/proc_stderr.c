/* Both standard output and standard error are used, from two processes. */
#include "t.h"

int main(void)
{
	pid_t pid = TRY(fork());

	for (int i = 0; i < 20; i++) {
		if (i % 2)
			say("out %s %d\n", pid ? "parent" : "child", i);
		else
			dprintf(2, "err %s %d at %lu\n", pid ? "parent" : "child", i, t_now_ns());
	}
	if (!pid)
		_exit(0);
	CHECK(t_wait(pid) == 0);
	return 0;
}
