/* A fault while SIGSEGV is blocked or ignored kills at once. */
#include "t.h"

int main(void)
{
	struct rlimit none = {0, 0};

	TRY(setrlimit(RLIMIT_CORE, &none));
	for (int i = 0; i < 2; i++) {
		pid_t pid = TRY(fork());

		if (!pid) {
			if (i)
				t_block(SIGSEGV, SIG_BLOCK);
			else
				t_on(SIGSEGV, SIG_IGN, 0);
			*(volatile char *)(uintptr_t)(t_rand() % 4096) = 1;
			_exit(0);
		}
		t_say_status(i ? "blocked" : "ignored", t_wait(pid));
	}
	say("pid %d\n", getpid());
	return 0;
}
