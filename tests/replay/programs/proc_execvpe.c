/* execvp and execvpe search PATH; environment is replaced. */
#include "t.h"

extern char **environ;

int main(void)
{
	char *args[] = {"printenv", "ONLY", NULL}, only[64];
	char *env[] = {only, NULL};
	pid_t pid;

	snprintf(only, sizeof(only), "ONLY=%016lx", t_rand());
	pid = TRY(fork());
	if (!pid) {
		TRY(setenv("PATH", "/none:/usr/bin:/bin", 1));
		execvpe("printenv", args, env);
		_exit(127);
	}
	CHECK(t_wait(pid) == 0);
	TRY(setenv("PATH", "/usr/bin:/bin", 1));
	CHECK(execvp("no-such-program-here", args) == -1 && errno == ENOENT);
	say("pid %d has %s\n", getpid(), environ[0] ? "an environment" : "none");
	return 0;
}
