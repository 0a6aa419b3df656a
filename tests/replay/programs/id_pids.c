/* pid, ppid, tid, group, session: by the library and by the raw calls. */
#include "t.h"

int main(void)
{
	say("pid %d ppid %d tid %d group %d session %d\n", getpid(), getppid(), gettid(), getpgrp(),
		getsid(0));
	CHECK(syscall(SYS_getpid) == getpid() && syscall(SYS_gettid) == gettid());
	CHECK(syscall(SYS_getpgid, 0) == getpgrp());
	return 0;
}
