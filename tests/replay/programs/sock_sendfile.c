/* sendfile into a TCP socket, with TCP_CORK around it. */
#include "inet.h"
#include <sys/sendfile.h>

int main(void)
{
	size_t size = 300000, have = 0;
	char *data = malloc(size), *got = malloc(size);
	struct sockaddr_in a;
	int l = inet_bound(SOCK_STREAM, &a), c, f, on = 1, off = 0;
	pid_t pid;

	CHECK(data && got);
	t_tmp();
	t_fill_random(data, size);
	t_write_file("f", data, size);
	pid = TRY(fork());
	if (!pid) {
		c = inet_dial(&a);
		f = TRY(open("f", O_RDONLY));
		TRY(setsockopt(c, IPPROTO_TCP, TCP_CORK, &on, sizeof(on)));
		while (TRY(sendfile(c, f, NULL, 70000)) > 0)
			continue;
		TRY(setsockopt(c, IPPROTO_TCP, TCP_CORK, &off, sizeof(off)));
		_exit(0);
	}
	c = TRY(accept(l, NULL, NULL));
	while (have < size) {
		ssize_t n = TRY(read(c, got + have, size - have));

		CHECK(n > 0);
		have += (size_t)n;
	}
	CHECK(memcmp(data, got, size) == 0 && t_wait(pid) == 0);
	say("hash %016lx\n", t_hash(got, size));
	free(data);
	free(got);
	return 0;
}
