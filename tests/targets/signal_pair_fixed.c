/* signal_pair.c, mended: the signal is blocked while the position changes.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#define STEPS 20

static volatile int x, y;

static void show(int sig)
{
	(void)sig;
	assert(x == y);
}

static void *mover(void *arg)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	for (int i = 1; i <= STEPS; i++) {
		pthread_sigmask(SIG_BLOCK, &set, NULL);
		x = i;
		y = i;
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	}
	return arg;
}

int main(void)
{
	struct sigaction action = {.sa_handler = show};
	pthread_t t;

	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&t, NULL, mover, NULL);
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	return 0;
}
