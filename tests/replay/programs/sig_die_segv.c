/* The program itself ends by a fault: its own status says so.
 * ends: SIGSEGV */
#include "t.h"

int main(void)
{
	struct rlimit none = {0, 0};

	TRY(setrlimit(RLIMIT_CORE, &none));
	say("pid %d dies at %lu\n", getpid(), t_now_ns());
	*(volatile char *)(uintptr_t)(t_rand() % 4096) = 1;
	return 0;
}
