/* fork from a thread while others run: the child has one thread, and the others' memory. */
#include "t.h"

static volatile uint64_t work;
static volatile bool stop;

static void *busy(void *arg)
{
	while (!stop)
		work++;
	return arg;
}

static void before(void)
{
	say("prepare\n");
}

static void in_child(void)
{
	say("child handler in %d\n", getpid());
}

static void *forker(void *arg)
{
	for (int i = 0; i < 5; i++) {
		pid_t pid = TRY(fork());

		if (!pid) {
			uint64_t w = work;

			for (volatile int k = 0; k < 100000; k++)
				continue;
			CHECK(work == w);
			say("child sees %lu\n", w);
			_exit(0);
		}
		CHECK(t_wait(pid) == 0);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	TRY0(pthread_atfork(before, NULL, in_child));
	TRY0(pthread_create(&a, NULL, busy, NULL));
	TRY0(pthread_create(&b, NULL, forker, NULL));
	TRY0(pthread_join(b, NULL));
	stop = true;
	TRY0(pthread_join(a, NULL));
	return 0;
}
