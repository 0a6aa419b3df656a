/* POSIX aio, which the C library does with threads of its own. */
#include "t.h"
#include <aio.h>

int main(void)
{
	char data[3][100], got[3][100] = {{0}};
	struct aiocb cb[3] = {0};
	int fd;

	t_tmp();
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	t_fill_random(data, sizeof(data));
	for (int i = 0; i < 3; i++) {
		cb[i].aio_fildes = fd;
		cb[i].aio_buf = data[i];
		cb[i].aio_nbytes = 100;
		cb[i].aio_offset = i * 100;
		TRY(aio_write(&cb[i]));
	}
	for (int i = 0; i < 3; i++) {
		const struct aiocb *one = &cb[i];

		while (aio_error(&cb[i]) == EINPROGRESS)
			aio_suspend(&one, 1, NULL);
		CHECK(aio_return(&cb[i]) == 100);
		cb[i].aio_buf = got[i];
		TRY(aio_read(&cb[i]));
	}
	for (int i = 0; i < 3; i++) {
		while (aio_error(&cb[i]) == EINPROGRESS)
			sched_yield();
		CHECK(aio_return(&cb[i]) == 100);
	}
	CHECK(memcmp(data, got, sizeof(data)) == 0);
	say("hash %016lx\n", t_hash(got, sizeof(got)));
	return 0;
}
