/* One server, eight clients at once, served in the order in which they come. */
#include "inet.h"

int main(void)
{
	struct sockaddr_in a, from;
	int l = inet_bound(SOCK_STREAM, &a);
	pid_t pids[8];
	char buf[64];

	for (int i = 0; i < 8; i++) {
		pids[i] = TRY(fork());
		if (pids[i])
			continue;
		t_sleep_us(t_rand_in(0, 1000));
		l = inet_dial(&a);
		CHECK(dprintf(l, "client %d pid %d", i, getpid()) > 0);
		CHECK(read(l, buf, sizeof(buf)) > 0);
		_exit(buf[0]);
	}
	for (int i = 0; i < 8; i++) {
		socklen_t len = sizeof(from);
		int c = TRY(accept(l, (struct sockaddr *)&from, &len));
		ssize_t n = TRY(read(c, buf, sizeof(buf)));
		char reply = (char)i;

		say("%d: %.*s port %d\n", i, (int)n, buf, ntohs(from.sin_port));
		CHECK(write(c, &reply, 1) == 1);
		TRY(close(c));
	}
	for (int i = 0; i < 8; i++)
		say("client %d was number %d\n", i, WEXITSTATUS(t_wait(pids[i])));
	return 0;
}
