/* Main blocks the signal while it touches what the handler uses. */
#include <signal.h>
#include <unistd.h>

static int ticks;

static void on_alarm(int sig)
{
	ticks++; // NORACE
}

int main(void)
{
	sigset_t alarm_set, old;

	sigemptyset(&alarm_set);
	sigaddset(&alarm_set, SIGALRM);
	signal(SIGALRM, on_alarm);
	ualarm(100, 100);
	for (int i = 0; i < 1000; i++) {
		sigprocmask(SIG_BLOCK, &alarm_set, &old);
		ticks += 2; // NORACE
		sigprocmask(SIG_SETMASK, &old, NULL);
	}
	ualarm(0, 0);
	return 0;
}
