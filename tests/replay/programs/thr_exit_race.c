/* Two threads race to _exit with different statuses, in ten children. */
#include "t.h"

static void *leave(void *arg)
{
	for (volatile unsigned k = t_rand_in(0, 3000); k; k--)
		continue;
	_exit((int)(intptr_t)arg);
}

int main(void)
{
	for (int i = 0; i < 10; i++) {
		pid_t pid = TRY(fork());
		int status;

		if (!pid) {
			pthread_t th;

			TRY0(pthread_create(&th, NULL, leave, (void *)(intptr_t)11));
			leave((void *)(intptr_t)22);
		}
		status = t_wait(pid);
		t_say_status("child", status);
		CHECK(WEXITSTATUS(status) == 11 || WEXITSTATUS(status) == 22);
	}
	return 0;
}
