/* Exit statuses: cut to eight bits, through exit, _exit, quick_exit, return, exec. */
#include "t.h"

static void bye(void)
{
	say("quick, pid %d\n", getpid());
}

int main(void)
{
	static const int codes[] = {0, 1, 2, 77, 127, 128, 255, 256, 1000, -1};

	for (unsigned i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		pid_t pid = TRY(fork());

		if (!pid) {
			if (i % 3 == 0)
				_exit(codes[i]);
			if (i % 3 == 1)
				exit(codes[i]);
			at_quick_exit(bye);
			quick_exit(codes[i]);
		}
		say("%d: %d -> %d\n", pid, codes[i], WEXITSTATUS(t_wait(pid)));
	}
	return 0;
}
