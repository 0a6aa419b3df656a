/* exec from a thread that is not the first: the process keeps its id, the others vanish. */
#include "t.h"

static char *self;

static void *busy(void *arg)
{
	for (;;)
		sched_yield();
	return arg;
}

static void *execer(void *arg)
{
	char pid[32];

	t_sleep_us(t_rand_in(200, 1500));
	snprintf(pid, sizeof(pid), "%d", getpid());
	say("thread %d of %s calls exec\n", gettid() == getpid(), pid);
	TRY(execl("/proc/self/exe", self, pid, NULL));
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t th;

	if (argc > 1) {
		say("second program: pid %d tid %d was %s\n", getpid(), gettid(), argv[1]);
		CHECK(getpid() == atoi(argv[1]) && getpid() == gettid());
		return 0;
	}
	self = argv[0];
	TRY0(pthread_create(&th, NULL, busy, NULL));
	TRY0(pthread_create(&th, NULL, execer, NULL));
	TRY0(pthread_join(th, NULL));
	return 1;
}
