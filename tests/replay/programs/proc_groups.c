/* Process groups and sessions: setpgid, getpgid, setsid, getsid and their errors. */
#include "t.h"

int main(void)
{
	pid_t pid = TRY(fork());

	if (!pid) {
		say("pid %d group %d session %d\n", getpid(), getpgrp(), getsid(0));
		TRY(setpgid(0, 0));
		CHECK(getpgrp() == getpid());
		CHECK(setsid() == -1 && errno == EPERM); /* a group leader may not */
		if (TRY(fork()) == 0) {
			pid_t s = TRY(setsid());

			say("new session %d\n", s);
			CHECK(s == getpid() && getsid(0) == s && getpgrp() == s);
			CHECK(setpgid(0, 0) == -1 && errno == EPERM);
			_exit(0);
		}
		CHECK(t_wait(-1) == 0);
		CHECK(setpgid(0, 999999) == -1 && errno == EPERM);
		_exit(0);
	}
	CHECK(t_wait(pid) == 0);
	CHECK(getpgid(pid) == -1 && errno == ESRCH);
	return 0;
}
