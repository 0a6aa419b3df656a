/* 2 MiB of random bytes over TCP; how they are cut is the network's business. */
#include "inet.h"

int main(void)
{
	size_t size = 2u << 20, have = 0;
	struct sockaddr_in a;
	int l = inet_bound(SOCK_STREAM, &a), c, reads = 0;
	char *data = malloc(size);
	ssize_t n;
	pid_t pid;

	CHECK(data);
	pid = TRY(fork());
	if (!pid) {
		c = inet_dial(&a);
		for (size_t i = 0; i < size / 8; i++)
			((uint64_t *)data)[i] = t_rand();
		for (size_t off = 0; off < size; off += (size_t)n)
			n = TRY(write(c, data + off, size - off));
		_exit(0);
	}
	c = TRY(accept(l, NULL, NULL));
	while ((n = TRY(read(c, data + have, size - have))) > 0) {
		have += (size_t)n;
		if (reads++ < 20)
			say("read %zd\n", n);
	}
	say("%d reads, hash %016lx\n", reads, t_hash(data, size));
	CHECK(have == size && t_wait(pid) == 0);
	free(data);
	return 0;
}
