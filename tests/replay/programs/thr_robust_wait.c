/* A waiter is woken when the owner of a robust mutex dies. */
#include "t.h"

static pthread_mutex_t *m;

static void *waiter(void *arg)
{
	uint64_t t = t_now_ns();
	int r = pthread_mutex_lock(m);

	say("waiter got %d after %lu ns\n", r, t_now_ns() - t);
	if (r == EOWNERDEAD)
		TRY0(pthread_mutex_consistent(m));
	TRY0(pthread_mutex_unlock(m));
	return arg;
}

int main(void)
{
	pthread_mutexattr_t a;
	pthread_t th;
	int p[2];
	pid_t pid;
	char c;

	TRY(pipe(p));
	m = TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	TRY0(pthread_mutexattr_init(&a));
	TRY0(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST));
	TRY0(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED));
	TRY0(pthread_mutex_init(m, &a));
	pid = TRY(fork());
	if (!pid) {
		TRY0(pthread_mutex_lock(m));
		CHECK(write(p[1], "l", 1) == 1);
		t_sleep_us(t_rand_in(1000, 4000));
		_exit(0);
	}
	CHECK(read(p[0], &c, 1) == 1);
	TRY0(pthread_create(&th, NULL, waiter, NULL));
	TRY0(pthread_join(th, NULL));
	CHECK(t_wait(pid) == 0);
	return 0;
}
