/* sendfile from a file to a pipe and to another file, with and without an offset. */
#include "t.h"
#include <sys/sendfile.h>

int main(void)
{
	char data[20000], got[20000];
	int in, out, p[2];
	off_t off = 1000;
	size_t have = 0;

	t_tmp();
	t_fill_random(data, sizeof(data));
	t_write_file("in", data, sizeof(data));
	in = TRY(open("in", O_RDONLY));
	TRY(pipe(p));
	CHECK(sendfile(p[1], in, &off, 4000) == 4000);
	CHECK(off == 5000 && lseek(in, 0, SEEK_CUR) == 0);
	CHECK(read(p[0], got, 4000) == 4000);
	CHECK(memcmp(got, data + 1000, 4000) == 0);
	say("pipe %016lx off %ld\n", t_hash(got, 4000), off);
	out = TRY(open("out", O_RDWR | O_CREAT, 0600));
	while (have < sizeof(data)) {
		ssize_t n = TRY(sendfile(out, in, NULL, sizeof(data)));

		CHECK(n > 0);
		have += (size_t)n;
	}
	CHECK(sendfile(out, in, NULL, 10) == 0);
	CHECK(pread(out, got, sizeof(got), 0) == sizeof(got));
	CHECK(memcmp(got, data, sizeof(data)) == 0);
	say("file %016lx at %ld\n", t_hash(got, sizeof(got)), lseek(in, 0, SEEK_CUR));
	return 0;
}
