/* A hundred vforks with exec of a tiny program. */
#include "t.h"

static pid_t spawn(char *self, int i)
{
	char n[16];
	pid_t pid;

	snprintf(n, sizeof(n), "%d", i);
	pid = vfork();
	if (!pid) {
		execl("/proc/self/exe", self, n, NULL);
		_exit(127);
	}
	return pid;
}

int main(int argc, char **argv)
{
	uint64_t mix = 0;

	if (argc > 1)
		_exit(atoi(argv[1]));
	for (int i = 0; i < 100; i++) {
		pid_t pid = TRY(spawn(argv[0], i));

		CHECK(WEXITSTATUS(t_wait(pid)) == i);
		mix = mix * 31 + (uint64_t)pid;
	}
	say("pids mix %016lx at %lu\n", mix, t_now_ns());
	return 0;
}
