/* A process that no tracer follows: refused while recording, since nobody would make its calls. */
#include "t.h"

int main(void)
{
	int status;
	pid_t pid = (pid_t)syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, NULL, NULL, NULL, NULL);

	if (pid == 0)
		_exit(3);
	if (pid > 0)
		CHECK(TRY(waitpid(pid, &status, 0)) == pid && WEXITSTATUS(status) == 3);
	else
		CHECK(errno == EPERM);
	say("%s\n", pid > 0 ? "made" : "refused");
	return 0;
}
