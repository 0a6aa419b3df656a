/* A signal handler takes the log's lock.  When the signal comes while its thread holds that lock,
 * it waits for itself.
 *
 * kind: signal-race
 * harm: deadlock, hang */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void log_line(void)
{
	pthread_mutex_lock(&log_lock); /* BUG */
	lines++;
	pthread_mutex_unlock(&log_lock);
}

static void on_signal(int sig)
{
	(void)sig;
	log_line(); /* BUG */
}

static void *worker(void *arg)
{
	for (int i = 0; i < 5; i++)
		log_line();
	return arg;
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	pthread_t t;

	sigaction(SIGUSR2, &action, NULL);
	pthread_create(&t, NULL, worker, NULL);
	pthread_kill(t, SIGUSR2);
	pthread_join(t, NULL);
	return lines < 5;
}
