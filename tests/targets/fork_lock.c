/* A process forks while another of its threads holds a lock.  In the child that thread does not
 * exist, and the lock is never free.
 *
 * kind: order-violation
 * harm: status */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	balance += 5;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void child(void)
{
	/* A child that cannot have the lock would hang; it says so instead. */
	if (pthread_mutex_trylock(&lock) != 0) /* BUG */
		_exit(1);
	_exit(0);
}

int main(void)
{
	int status = 0;
	pthread_t t;
	pid_t pid;

	pthread_create(&t, NULL, worker, NULL);
	pid = fork(); /* BUG */
	if (pid == 0)
		child();
	waitpid(pid, &status, 0);
	pthread_join(t, NULL);
	return WEXITSTATUS(status);
}
