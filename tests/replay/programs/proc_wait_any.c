/* wait for any of ten children; the order is decided by their random work. */
#include "t.h"

int main(void)
{
	int status;
	pid_t pid;

	for (int i = 0; i < 10; i++)
		if (TRY(fork()) == 0) {
			for (volatile unsigned k = t_rand_in(0, 1000000); k; k--)
				continue;
			_exit(i);
		}
	for (int i = 0; i < 10; i++) {
		pid = TRY(wait(&status));
		say("%d: child %d pid %d\n", i, WEXITSTATUS(status), pid);
	}
	CHECK(wait(NULL) == -1 && errno == ECHILD);
	return 0;
}
