/* The status of the program itself, which its last exit handler decides.
 * ends: 43 */
#include "t.h"

static void first(void)
{
	say("first handler, pid %d\n", getpid());
	_exit(43);
}

static void second(int status, void *arg)
{
	say("second handler, status %d arg %s\n", status, (const char *)arg);
}

static void third(void)
{
	printf("third handler\n");
}

int main(void)
{
	atexit(first);
	on_exit(second, "x");
	atexit(third);
	printf("buffered until the end, %lu\n", t_now_ns());
	fflush(stdout);
	exit(42);
}
