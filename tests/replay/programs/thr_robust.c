/* A robust mutex whose owner dies: as a thread, and as a process. */
#include "t.h"

static pthread_mutex_t *m;

static void *die_with_it(void *arg)
{
	TRY0(pthread_mutex_lock(m));
	say("thread %d takes it to the grave\n", gettid());
	return arg;
}

int main(void)
{
	pthread_mutexattr_t a;
	pthread_t th;
	pid_t pid;

	m = TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	TRY0(pthread_mutexattr_init(&a));
	TRY0(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST));
	TRY0(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED));
	TRY0(pthread_mutex_init(m, &a));
	TRY0(pthread_create(&th, NULL, die_with_it, NULL));
	TRY0(pthread_join(th, NULL));
	CHECK(pthread_mutex_lock(m) == EOWNERDEAD);
	TRY0(pthread_mutex_consistent(m));
	TRY0(pthread_mutex_unlock(m));
	pid = TRY(fork());
	if (!pid) {
		TRY0(pthread_mutex_lock(m));
		say("process %d as well\n", getpid());
		kill(getpid(), SIGKILL);
	}
	t_wait(pid);
	CHECK(pthread_mutex_lock(m) == EOWNERDEAD);
	TRY0(pthread_mutex_unlock(m));
	CHECK(pthread_mutex_lock(m) == ENOTRECOVERABLE);
	return 0;
}
