/* 4 MiB through a pipe in writes larger than the pipe. */
#include "t.h"

int main(void)
{
	size_t size = 4u << 20, have = 0;
	char *data = malloc(size);
	int p[2], reads = 0;
	ssize_t n;
	pid_t pid;

	CHECK(data);
	TRY(pipe(p));
	pid = TRY(fork());
	if (!pid) {
		for (size_t i = 0; i < size / 8; i++)
			((uint64_t *)data)[i] = t_rand();
		CHECK(write(p[1], data, size) == (ssize_t)size);
		say("sent %016lx\n", t_hash(data, 1u << 18));
		_exit(0);
	}
	TRY(close(p[1]));
	while ((n = TRY(read(p[0], data + have, size - have))) > 0) {
		have += (size_t)n;
		reads++;
	}
	CHECK(have == size);
	CHECK(t_wait(pid) == 0);
	say("got  %016lx in %d reads\n", t_hash(data, 1u << 18), reads);
	free(data);
	return 0;
}
