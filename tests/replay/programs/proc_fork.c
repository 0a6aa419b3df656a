/* fork: ids, copied memory, copied buffers. */
#include "t.h"

int main(void)
{
	uint64_t secret = t_rand();
	pid_t me = getpid(), pid = TRY(fork());

	if (!pid) {
		CHECK(getppid() == me && getpid() != me);
		say("child %d of %d knows %016lx\n", getpid(), getppid(), secret);
		secret = 0;
		_exit(33);
	}
	t_say_status("child", t_wait(pid));
	say("parent %d still knows %016lx\n", me, secret);
	CHECK(secret);
	return 0;
}
