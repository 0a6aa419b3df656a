/* volatile sig_atomic_t is what a handler may write. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t got_signal;

static void on_usr1(int sig)
{
	got_signal = 1; // NORACE
}

int main(void)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = on_usr1;
	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
	while (!got_signal) // NORACE
		pause();
	return 0;
}
