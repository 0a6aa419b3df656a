/* Socket options of several sizes, read and set. */
#include "inet.h"

static void show(int fd, int level, int opt, const char *name)
{
	int v = -1;
	socklen_t len = sizeof(v);

	TRY(getsockopt(fd, level, opt, &v, &len));
	say("%s = %d (%u bytes)\n", name, v, len);
}

int main(void)
{
	int fd = TRY(socket(AF_INET, SOCK_STREAM, 0)), on = 1, size = 20000;
	struct linger lg = {1, 3};
	struct timeval tv = {1, 500000};
	socklen_t len = sizeof(lg);
	char cc[16] = {0};

	TRY(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)));
	TRY(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size)));
	TRY(setsockopt(fd, SOL_SOCKET, SO_LINGER, &lg, sizeof(lg)));
	TRY(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)));
	TRY(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)));
	show(fd, SOL_SOCKET, SO_TYPE, "type");
	show(fd, SOL_SOCKET, SO_REUSEADDR, "reuse");
	show(fd, SOL_SOCKET, SO_RCVBUF, "rcvbuf");
	show(fd, SOL_SOCKET, SO_SNDBUF, "sndbuf");
	show(fd, SOL_SOCKET, SO_DOMAIN, "domain");
	show(fd, IPPROTO_TCP, TCP_NODELAY, "nodelay");
	show(fd, IPPROTO_TCP, TCP_MAXSEG, "maxseg");
	show(fd, IPPROTO_IP, IP_TTL, "ttl");
	memset(&lg, 0, sizeof(lg));
	TRY(getsockopt(fd, SOL_SOCKET, SO_LINGER, &lg, &len));
	CHECK(lg.l_onoff == 1 && lg.l_linger == 3);
	len = sizeof(cc);
	TRY(getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, cc, &len));
	say("congestion %s\n", cc);
	CHECK(getsockopt(fd, 12345, 1, cc, &len) == -1);
	say("errno %d, cookie owner %d\n", errno, getpid());
	return 0;
}
