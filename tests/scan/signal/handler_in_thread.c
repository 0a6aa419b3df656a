/* An alarm handler and a worker thread share a counter under no lock, and an atomic one. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static long plain;
static atomic_long good;

static void on_alarm(int sig)
{
	plain++; // RACE
	good++;  // NORACE
}

static void *t_fun(void *arg)
{
	for (int i = 0; i < 100; i++) {
		plain++; // RACE
		good++;  // NORACE
	}
	return NULL;
}

int main(void)
{
	struct sigaction sa = {.sa_handler = on_alarm};
	pthread_t id;

	sigaction(SIGALRM, &sa, NULL);
	pthread_create(&id, NULL, t_fun, NULL);
	kill(getpid(), SIGALRM);
	pthread_join(id, NULL);
	return 0;
}
