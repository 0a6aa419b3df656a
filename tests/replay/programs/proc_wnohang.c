/* WNOHANG polls until the child is done. */
#include "t.h"

int main(void)
{
	int polls = 0, status;
	pid_t pid = TRY(fork()), r;

	if (!pid) {
		t_sleep_us(t_rand_in(500, 4000));
		_exit(6);
	}
	while ((r = TRY(waitpid(pid, &status, WNOHANG))) == 0) {
		polls++;
		t_sleep_us(100);
	}
	CHECK(r == pid);
	say("%d polls, status %d\n", polls, WEXITSTATUS(status));
	CHECK(waitpid(pid, &status, WNOHANG) == -1 && errno == ECHILD);
	return 0;
}
