/* Main and a signal handler update one plain counter. */
#include <signal.h>
#include <unistd.h>

static int ticks;

static void on_alarm(int sig)
{
	ticks++; // RACE
}

int main(void)
{
	signal(SIGALRM, on_alarm);
	ualarm(100, 100);
	for (int i = 0; i < 1000; i++)
		ticks += 2; // RACE
	ualarm(0, 0);
	return 0;
}
