/* signal_tick.c, mended: the signal is blocked during each step.
 *
 * kind: none */
#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

#define STEPS 20

static volatile int count, ticks;

static void on_tick(int sig)
{
	(void)sig;
	count++;
	ticks++;
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_tick};
	struct itimerval once = {{0, 0}, {0, 20000}};
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &once, NULL);
	for (int i = 0; i < STEPS; i++) {
		sigprocmask(SIG_BLOCK, &set, &old);
		count++;
		sigprocmask(SIG_SETMASK, &old, NULL);
	}
	while (!ticks)
		;
	assert(count == STEPS + 1);
	return 0;
}
