/* A subreaper adopts grandchildren. */
#include "t.h"
#include <sys/prctl.h>

int main(void)
{
	int on = 0, status;
	pid_t pid, r;

	TRY(prctl(PR_SET_CHILD_SUBREAPER, 1));
	TRY(prctl(PR_GET_CHILD_SUBREAPER, &on));
	CHECK(on == 1);
	pid = TRY(fork());
	if (!pid) {
		for (int i = 0; i < 3; i++)
			if (TRY(fork()) == 0) {
				t_sleep_us(t_rand_in(1000, 3000));
				_exit(50 + i);
			}
		_exit(1);
	}
	for (int i = 0; i < 4; i++) {
		r = TRY(wait(&status));
		say("reaped %d status %d, %s\n", r, WEXITSTATUS(status),
			r == pid ? "child" : "grandchild");
	}
	CHECK(wait(NULL) == -1 && errno == ECHILD);
	return 0;
}
