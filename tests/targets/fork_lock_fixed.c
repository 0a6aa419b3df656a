/* fork_lock.c, mended: the lock is held around fork, so that its state in the child is known.
 *
 * kind: none */
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
	if (pthread_mutex_trylock(&lock) != 0)
		_exit(1);
	_exit(0);
}

int main(void)
{
	int status = 0;
	pthread_t t;
	pid_t pid;

	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&lock);
	pid = fork();
	pthread_mutex_unlock(&lock);
	if (pid == 0)
		child();
	waitpid(pid, &status, 0);
	pthread_join(t, NULL);
	return WEXITSTATUS(status);
}
