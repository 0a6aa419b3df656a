/* shm_open: a named object mapped by two processes. */
#include "t.h"

int main(void)
{
	char name[64];
	uint64_t *m;
	pid_t pid;
	int fd;

	snprintf(name, sizeof(name), "/replay.%d.%016lx", getpid(), t_rand());
	fd = TRY(shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600));
	TRY(ftruncate(fd, 4096));
	pid = TRY(fork());
	if (!pid) {
		fd = TRY(shm_open(name, O_RDWR, 0));
		m = TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
		m[1] = t_now_ns();
		__atomic_store_n(&m[0], (uint64_t)getpid(), __ATOMIC_RELEASE);
		_exit(0);
	}
	m = TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
	while (!__atomic_load_n(&m[0], __ATOMIC_ACQUIRE))
		sched_yield();
	say("child %lu wrote at %lu\n", m[0], m[1]);
	CHECK(m[0] == (uint64_t)pid && t_wait(pid) == 0);
	TRY(shm_unlink(name));
	CHECK(shm_open(name, O_RDWR, 0) == -1 && errno == ENOENT);
	return 0;
}
