/* One thread opens files while another closes numbers: descriptors are reused at random. */
#include "t.h"

static volatile int last = -1;
static volatile bool stop;

static void *opener(void *arg)
{
	for (int i = 0; i < 200; i++) {
		int fd = TRY(open("/dev/null", O_RDONLY));
		int expect = -1;

		while (!__atomic_compare_exchange_n(
			&last, &expect, fd, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
			expect = -1;
			sched_yield();
		}
		if (i % 20 == 0)
			say("open %d\n", fd);
	}
	stop = true;
	return arg;
}

int main(void)
{
	pthread_t th;
	int n = 0;

	TRY0(pthread_create(&th, NULL, opener, NULL));
	while (!stop || last != -1) {
		int fd = __atomic_exchange_n(&last, -1, __ATOMIC_SEQ_CST);

		if (fd < 0) {
			sched_yield();
			continue;
		}
		TRY(close(fd));
		n++;
	}
	TRY0(pthread_join(th, NULL));
	say("closed %d\n", n);
	CHECK(n == 200);
	return 0;
}
