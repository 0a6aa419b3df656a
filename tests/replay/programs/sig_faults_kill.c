/* Unhandled faults kill: segv, ud2, divide, int3, abort, stack smashing; no core is left. */
#include "t.h"
#include <sys/prctl.h>

static void die(int how)
{
	volatile int zero = 0;

	switch (how) {
	case 0:
		*(volatile char *)(uintptr_t)(zero + 8) = 1;
		break;
	case 1:
		__asm__ volatile("ud2");
		break;
	case 2:
		zero = 1 / zero;
		break;
	case 3:
		__asm__ volatile("int3");
		break;
	case 4:
		abort();
	default:
		__asm__ volatile("hlt");
	}
}

int main(void)
{
	struct rlimit none = {0, 0};

	TRY(setrlimit(RLIMIT_CORE, &none));
	for (int i = 0; i < 6; i++) {
		pid_t pid = TRY(fork());

		if (!pid) {
			die(i);
			_exit(0);
		}
		say("%d: ", pid);
		t_say_status("fault", t_wait(pid));
	}
	return 0;
}
