/* A parent traces its child, unless tracing is refused because somebody else does. */
#include "t.h"
#include <sys/ptrace.h>
#include <sys/user.h>

int main(void)
{
	struct user_regs_struct regs;
	int status, stops = 0;
	pid_t pid = TRY(fork());

	if (!pid) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(errno);
		raise(SIGSTOP);
		getppid();
		_exit(0);
	}
	CHECK(TRY(waitpid(pid, &status, 0)) == pid);
	if (WIFEXITED(status)) {
		say("refused with %d\n", WEXITSTATUS(status));
		return 0;
	}
	while (WIFSTOPPED(status)) {
		if (ptrace(PTRACE_GETREGS, pid, NULL, &regs) == 0 && stops < 5)
			say("stop %d signal %d rsp %llx\n", stops, WSTOPSIG(status), regs.rsp);
		stops++;
		TRY(ptrace(PTRACE_SYSCALL, pid, NULL, NULL));
		CHECK(TRY(waitpid(pid, &status, 0)) == pid);
	}
	t_say_status("traced", status);
	CHECK(stops > 2);
	return 0;
}
