/* Waits that end because time is up, with what select says is left, and a socket with a limit. */
#include "buf.h"

int main(void)
{
	struct timeval limit = {0, 3000}, left;
	struct buf b;
	fd_set set;
	char c;

	buf_open(&b);
	buf_warm(&b);
	for (int i = 0; i < 4; i++) {
		for (enum buf_kind k = BUF_POLL; k < BUF_KINDS; k++) {
			CHECK(buf_wait(&b, k, 2) == 0);
			say("%s: time is up at %lu\n", buf_names[k], t_now_ns());
		}
		buf_put(&b);
		FD_ZERO(&set);
		FD_SET(b.in[0], &set);
		left = (struct timeval){5, 0};
		CHECK(select(b.in[0] + 1, &set, NULL, NULL, &left) == 1);
		say("%ld.%06ld left\n", (long)left.tv_sec, (long)left.tv_usec);
		CHECK(read(b.in[0], &c, 1) == 1);
	}
	TRY(setsockopt(b.in[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)));
	for (int i = 0; i < 3; i++)
		CHECK(buf_wait(&b, i % 2 ? BUF_READ : BUF_RECV, 0) == -1 && errno == EAGAIN);
	return 0;
}
