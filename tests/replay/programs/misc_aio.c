/* The kernel's own asynchronous I/O: io_setup, io_submit, io_getevents. */
#include "t.h"
#include <linux/aio_abi.h>

int main(void)
{
	aio_context_t ctx = 0;
	struct iocb cb = {0}, *list[] = {&cb};
	struct io_event ev;
	char buf[64];
	int fd;

	if (syscall(SYS_io_setup, 4, &ctx) < 0) {
		CHECK(errno == ENOSYS || errno == EPERM || errno == EAGAIN);
		say("not here: %d, pid %d\n", errno, getpid());
		return 0;
	}
	t_tmp();
	snprintf(buf, sizeof(buf), "written %lu", t_now_ns());
	t_write_file("f", buf, strlen(buf));
	memset(buf, 0, sizeof(buf));
	fd = TRY(open("f", O_RDONLY));
	cb.aio_fildes = (uint32_t)fd;
	cb.aio_lio_opcode = IOCB_CMD_PREAD;
	cb.aio_buf = (uintptr_t)buf;
	cb.aio_nbytes = sizeof(buf) - 1;
	cb.aio_data = t_rand();
	CHECK(syscall(SYS_io_submit, ctx, 1, list) == 1);
	CHECK(syscall(SYS_io_getevents, ctx, 1, 1, &ev, NULL) == 1);
	CHECK(ev.data == cb.aio_data && ev.res > 0);
	say("%s\n", buf);
	TRY(syscall(SYS_io_destroy, ctx));
	return 0;
}
