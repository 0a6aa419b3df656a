/* The first process ends; an orphan goes on printing for a while.
 * ends: 21 */
#include "t.h"

int main(void)
{
	pid_t pid = TRY(fork());

	if (!pid) {
		t_sleep_us(3000);
		for (int i = 0; i < 5; i++) {
			say("orphan %d of %d at %lu\n", getpid(), getppid(), t_now_ns());
			t_sleep_us(500);
		}
		_exit(0);
	}
	say("first process %d leaves\n", getpid());
	return 21;
}
