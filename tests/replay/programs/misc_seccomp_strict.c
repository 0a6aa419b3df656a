/* A child in strict seccomp mode may read, write and exit; anything else kills it. */
#include "t.h"
#include <linux/seccomp.h>
#include <sys/prctl.h>

int main(void)
{
	struct rlimit none = {0, 0};

	TRY(setrlimit(RLIMIT_CORE, &none));
	for (int i = 0; i < 2; i++) {
		pid_t pid = TRY(fork());

		if (!pid) {
			int r = prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);

			if (r < 0)
				_exit(55);
			if (write(1, "inside\n", 7) != 7)
				syscall(SYS_exit, 1);
			if (i)
				syscall(SYS_getpid);
			syscall(SYS_exit, 0);
		}
		t_say_status(i ? "forbidden call" : "allowed calls", t_wait(pid));
	}
	say("pid %d\n", getpid());
	return 0;
}
