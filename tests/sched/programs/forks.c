/* fork() from a program with threads, in parent and child. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "%d: %s\n", __LINE__, #x), exit(1)))
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count, stop;
static void *worker(void *p)
{
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&m);
		count++;
		pthread_mutex_unlock(&m);
	}
	return p;
}
static void before(void)
{
	pthread_mutex_lock(&m);
}
static void after(void)
{
	pthread_mutex_unlock(&m);
}
int main(void)
{
	pthread_t t, u;
	int status;
	pid_t pid;
	pthread_atfork(before, after, after);
	pthread_create(&t, NULL, worker, NULL);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		int had = count;
		pthread_create(&u, NULL, worker, NULL);
		worker(NULL);
		pthread_join(u, NULL);
		_exit(count == had + 10 ? 42 : 1);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42);
	pthread_join(t, NULL);
	CHECK(count == 5 && !stop);
	CHECK(system("exit 3") == 3 << 8);
	return 0;
}
