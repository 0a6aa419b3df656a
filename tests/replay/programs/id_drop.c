/* Root gives up its rights in a child; others are refused. */
#include "t.h"

int main(void)
{
	pid_t pid = TRY(fork());

	if (!pid) {
		int r = setresgid(12345, 12345, 12345);

		say("setresgid %d %d\n", r, r ? errno : 0);
		r = setresuid(12345, 12345, 12345);
		say("setresuid %d %d: uid %d\n", r, r ? errno : 0, getuid());
		if (r == 0)
			CHECK(setuid(0) == -1 && errno == EPERM);
		CHECK(open("/etc/shadow", O_RDONLY) == -1 || r < 0);
		_exit(0);
	}
	CHECK(t_wait(pid) == 0);
	say("parent %d still %d\n", getpid(), getuid());
	return 0;
}
