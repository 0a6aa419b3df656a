/* Threads that fork, and children that have threads themselves. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *add(void *arg)
{
	pthread_mutex_lock(&lock);
	done++;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void child(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, add, NULL) != 0 || pthread_join(t, NULL) != 0)
		_exit(3);
	_exit(7);
}

static void *forker(void *arg)
{
	int status = 0;
	pid_t pid;

	/* Held, so that the child has it in a state that it can end. */
	pthread_mutex_lock(&lock);
	pid = fork();
	pthread_mutex_unlock(&lock);
	if (pid == 0)
		child();
	if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 7)
		abort();
	return add(arg);
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, forker, NULL);
	pthread_create(&two, NULL, forker, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return done != 2;
}
