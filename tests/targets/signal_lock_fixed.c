/* signal_lock.c, mended: the handler only sets a flag, which is looked at later.
 *
 * kind: none */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;
static atomic_int rotate;

static void log_line(void)
{
	pthread_mutex_lock(&log_lock);
	lines++;
	pthread_mutex_unlock(&log_lock);
}

static void on_signal(int sig)
{
	(void)sig;
	atomic_store(&rotate, 1);
}

static void *worker(void *arg)
{
	for (int i = 0; i < 5; i++)
		log_line();
	if (atomic_load(&rotate))
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
