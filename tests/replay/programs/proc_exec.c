/* exec of itself with arguments and a new environment, five times over. */
#include "t.h"

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	char num[16], mark[64];
	char *args[] = {argv[0], num, NULL}, *env[] = {mark, "PLAIN=1", NULL};

	say("round %d pid %d MARK=%s\n", n, getpid(), getenv("MARK") ? getenv("MARK") : "-");
	if (n == 5) {
		CHECK(getenv("PLAIN") && !getenv("PATH"));
		return 0;
	}
	snprintf(num, sizeof(num), "%d", n + 1);
	snprintf(mark, sizeof(mark), "MARK=%016lx", t_rand());
	TRY(execve("/proc/self/exe", args, env));
	return 1;
}
