/* The program kills itself with SIGKILL in the middle of its output.
 * ends: SIGKILL */
#include "t.h"

int main(void)
{
	say("last words of %d at %lu\n", getpid(), t_now_ns());
	kill(getpid(), SIGKILL);
	say("never\n");
	return 0;
}
