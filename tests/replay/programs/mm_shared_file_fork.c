/* A file mapped shared by parent and child, with a process-shared mutex inside. */
#include "t.h"

struct area {
	pthread_mutex_t m;
	pthread_cond_t c;
	int turn;
};

int main(void)
{
	pthread_mutexattr_t ma;
	pthread_condattr_t ca;
	struct area *a;
	pid_t pid;
	int fd;

	t_tmp();
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	TRY(ftruncate(fd, 4096));
	a = TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
	TRY0(pthread_mutexattr_init(&ma));
	TRY0(pthread_mutexattr_setpshared(&ma, PTHREAD_PROCESS_SHARED));
	TRY0(pthread_mutex_init(&a->m, &ma));
	TRY0(pthread_condattr_init(&ca));
	TRY0(pthread_condattr_setpshared(&ca, PTHREAD_PROCESS_SHARED));
	TRY0(pthread_cond_init(&a->c, &ca));
	pid = TRY(fork());
	for (int i = 0; i < 15; i++) {
		TRY0(pthread_mutex_lock(&a->m));
		while (a->turn % 2 != (pid ? 0 : 1))
			TRY0(pthread_cond_wait(&a->c, &a->m));
		say("%s %d at %lu\n", pid ? "parent" : "child", a->turn, t_now_ns());
		a->turn++;
		TRY0(pthread_cond_signal(&a->c));
		TRY0(pthread_mutex_unlock(&a->m));
	}
	if (!pid)
		_exit(0);
	CHECK(t_wait(pid) == 0 && a->turn == 30);
	return 0;
}
