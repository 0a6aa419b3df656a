/* The handler of a timer counts in the same variable as the code that it interrupts: a step that is
 * between its read and its write when the timer goes off takes the tick back.
 *
 * kind: signal-race
 * harm: assertion */
#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

#define STEPS 20

static volatile int count, ticks;

static void on_tick(int sig)
{
	(void)sig;
	count++; /* BUG */
	ticks++;
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_tick};
	struct itimerval once = {{0, 0}, {0, 20000}};

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &once, NULL);
	for (int i = 0; i < STEPS; i++)
		count++; /* BUG */
	while (!ticks)
		;
	assert(count == STEPS + 1);
	return 0;
}
