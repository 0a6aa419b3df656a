/* System V semaphores: two processes take turns; SEM_UNDO; a timed wait that runs out. */
#include "t.h"
#include <sys/sem.h>

static int op(int id, unsigned short n, short v, short flags)
{
	struct sembuf s = {n, v, flags};

	return semop(id, &s, 1);
}

int main(void)
{
	int id = TRY(semget(IPC_PRIVATE, 3, IPC_CREAT | 0600));
	struct timespec ts = {0, 2000000};
	struct sembuf take = {2, -1, 0};
	unsigned short vals[3] = {1, 0, 0};
	uint64_t t;
	pid_t pid;

	TRY(semctl(id, 0, SETALL, vals));
	pid = TRY(fork());
	for (int i = 0; i < 20; i++) {
		TRY(op(id, pid ? 0 : 1, -1, 0));
		say("%s %d\n", pid ? "tick" : "tock", i);
		TRY(op(id, pid ? 1 : 0, 1, 0));
	}
	if (!pid) {
		TRY(op(id, 2, 5, SEM_UNDO));
		_exit(0);
	}
	CHECK(t_wait(pid) == 0);
	say("value %d last pid %d\n", TRY(semctl(id, 2, GETVAL)), TRY(semctl(id, 1, GETPID)));
	CHECK(semctl(id, 2, GETVAL) == 0);
	t = t_now_ns();
	CHECK(semtimedop(id, &take, 1, &ts) == -1 && errno == EAGAIN);
	say("waited %lu ns\n", t_now_ns() - t);
	CHECK(op(id, 2, -1, IPC_NOWAIT) == -1 && errno == EAGAIN);
	TRY(semctl(id, 0, IPC_RMID));
	return 0;
}
