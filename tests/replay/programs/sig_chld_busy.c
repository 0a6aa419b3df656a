/* SIGCHLD hits a computing parent; the handler prints how far it was. */
#include "t.h"

static volatile sig_atomic_t ended;
static volatile uint64_t work;

static void on_chld(int sig)
{
	int status;

	(void)sig;
	while (waitpid(-1, &status, WNOHANG) > 0) {
		ended++;
		say("%d ended at %lu\n", WEXITSTATUS(status), work);
	}
}

int main(void)
{
	t_on(SIGCHLD, on_chld, SA_RESTART);
	for (int i = 0; i < 12; i++) {
		if (TRY(fork()) == 0) {
			t_sleep_us(t_rand_in(500, 8000));
			_exit(i);
		}
	}
	while (ended < 12)
		work++;
	return 0;
}
