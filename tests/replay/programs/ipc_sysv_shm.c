/* System V shared memory between parent and child. */
#include "t.h"
#include <sys/shm.h>

int main(void)
{
	int id = TRY(shmget(IPC_PRIVATE, 8192, IPC_CREAT | 0600));
	uint64_t *m = TRY(shmat(id, NULL, 0));
	struct shmid_ds ds;
	pid_t pid;

	TRY(shmctl(id, IPC_RMID, NULL));
	m[0] = t_rand();
	pid = TRY(fork());
	if (!pid) {
		m[1] = m[0] ^ (uint64_t)getpid();
		TRY(shmdt(m));
		_exit(0);
	}
	CHECK(t_wait(pid) == 0);
	CHECK((m[0] ^ m[1]) == (uint64_t)pid);
	TRY(shmctl(id, IPC_STAT, &ds));
	say("%016lx attached %lu creator %d last %d size %zu\n", m[1], ds.shm_nattch, ds.shm_cpid,
		ds.shm_lpid, ds.shm_segsz);
	TRY(shmdt(m));
	return 0;
}
