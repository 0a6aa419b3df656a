/* POSIX message queues: priorities, attributes, a timed receive. */
#include "t.h"
#include <mqueue.h>

int main(void)
{
	struct mq_attr attr = {.mq_maxmsg = 5, .mq_msgsize = 64}, now;
	char name[64], buf[64];
	struct timespec ts;
	unsigned prio;
	pid_t pid;
	mqd_t q;

	snprintf(name, sizeof(name), "/replay.%d.%016lx", getpid(), t_rand());
	q = TRY(mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &attr));
	TRY(mq_unlink(name));
	pid = TRY(fork());
	if (!pid) {
		for (unsigned i = 0; i < 5; i++) {
			int n = snprintf(buf, sizeof(buf), "%u at %lu", i, t_now_ns());

			TRY(mq_send(q, buf, (size_t)n, (i * 7) % 5));
		}
		_exit(0);
	}
	CHECK(t_wait(pid) == 0);
	TRY(mq_getattr(q, &now));
	CHECK(now.mq_curmsgs == 5);
	for (int i = 0; i < 5; i++) {
		ssize_t n = TRY(mq_receive(q, buf, sizeof(buf), &prio));

		say("priority %u: %.*s\n", prio, (int)n, buf);
		CHECK(prio == (unsigned)(4 - i));
	}
	TRY(clock_gettime(CLOCK_REALTIME, &ts));
	CHECK(mq_timedreceive(q, buf, sizeof(buf), &prio, &ts) == -1 && errno == ETIMEDOUT);
	TRY(mq_close(q));
	return 0;
}
