/* A handler interrupts main; what main blocks it for is safe. */
#include <signal.h>
#include <stdio.h>

static int events, safe, before;
static volatile sig_atomic_t flag;

static void handler(int sig)
{
	events++; // RACE
	safe++;   // NORACE
	before++; // NORACE
	flag = 1; // NORACE
}

int main(void)
{
	sigset_t set, old;

	before = 1; // NORACE
	signal(SIGUSR1, handler);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	raise(SIGUSR1);
	events++; // RACE
	sigprocmask(SIG_BLOCK, &set, &old);
	safe++; // NORACE
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (flag)         // NORACE
		flag = 0; // NORACE
	return 0;
}
