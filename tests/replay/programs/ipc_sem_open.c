/* Named POSIX semaphores between processes, and one in shared memory. */
#include "t.h"
#include <semaphore.h>

int main(void)
{
	char name[64];
	sem_t *named, *shared;
	struct timespec ts;
	pid_t pid;

	snprintf(name, sizeof(name), "/replay.%d.%016lx", getpid(), t_rand());
	named = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
	CHECK(named != SEM_FAILED);
	shared = TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	TRY(sem_init(shared, 1, 0));
	pid = TRY(fork());
	for (int i = 0; i < 15; i++) {
		if (pid)
			TRY(sem_post(named));
		TRY(sem_wait(pid ? shared : named));
		say("%s %d at %lu\n", pid ? "parent" : "child", i, t_now_ns());
		if (!pid)
			TRY(sem_post(shared));
	}
	if (!pid)
		_exit(0);
	CHECK(t_wait(pid) == 0);
	TRY(clock_gettime(CLOCK_REALTIME, &ts));
	CHECK(sem_timedwait(named, &ts) == -1 && errno == ETIMEDOUT);
	CHECK(sem_trywait(shared) == -1 && errno == EAGAIN);
	TRY(sem_close(named));
	TRY(sem_unlink(name));
	return 0;
}
