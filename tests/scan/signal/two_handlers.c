/* Two handlers of different signals: either may interrupt the other. */
#include <signal.h>
#include <string.h>

static int shared, kept;

static void on_usr1(int sig)
{
	shared++; // RACE
}

static void on_usr2(int sig)
{
	shared--; // RACE
	kept = 1; // NORACE
}

int main(void)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = on_usr1;
	sigaction(SIGUSR1, &sa, NULL);
	sa.sa_handler = on_usr2;
	sigaction(SIGUSR2, &sa, NULL);
	raise(SIGUSR1);
	raise(SIGUSR2);
	return 0;
}
