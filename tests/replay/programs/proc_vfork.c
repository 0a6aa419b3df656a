/* vfork: the child borrows the parent's memory until it execs or exits. */
#include "t.h"

static volatile int shared;

int main(void)
{
	for (int i = 0; i < 5; i++) {
		pid_t pid = vfork();

		CHECK(pid >= 0);
		if (!pid) {
			shared += 10;
			_exit(i);
		}
		CHECK(shared == (i + 1) * 10);
		say("child %d ", pid);
		t_say_status("left", t_wait(pid));
	}
	return 0;
}
