/* Processes that wait are killed, by a signal that cannot be caught and by one that is not. */
#include "buf.h"

int main(void)
{
	static const int sigs[] = {SIGKILL, SIGTERM, SIGUSR1};
	struct buf b;

	buf_open(&b);
	buf_warm(&b);
	for (int i = 0; i < 3; i++) {
		for (enum buf_kind k = 0; k < BUF_KINDS; k++) {
			pid_t pid = TRY(fork());

			if (!pid) {
				say("%d waits in %s\n", getpid(), buf_names[k]);
				buf_wait(&b, k, -1);
				_exit(1);
			}
			t_sleep_us(t_rand_in(0, 3000));
			TRY(kill(pid, sigs[i]));
			t_say_status(buf_names[k], t_wait(pid));
		}
	}
	return 0;
}
