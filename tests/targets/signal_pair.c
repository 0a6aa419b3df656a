/* A signal handler copies a position that the interrupted thread is just changing: it can see the
 * new x with the old y.
 *
 * kind: signal-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#define STEPS 20

static volatile int x, y;

static void show(int sig)
{
	(void)sig;
	assert(x == y); /* BUG */
}

static void *mover(void *arg)
{
	for (int i = 1; i <= STEPS; i++) {
		x = i; /* BUG */
		y = i; /* BUG */
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
