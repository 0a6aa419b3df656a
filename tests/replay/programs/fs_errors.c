/* Calls that fail: each error number must come back as it was. */
#include "t.h"
#include <sys/ioctl.h>
#include <sys/socket.h>

#define FAIL(call, want)                                                                           \
	do {                                                                                       \
		errno = 0;                                                                         \
		CHECK((call) == -1);                                                               \
		say("%s: %d\n", #call, errno);                                                     \
		CHECK(errno == (want));                                                            \
	} while (0)

int main(void)
{
	volatile long bad = 1; /* an address that is never mapped */
	char *nowhere = (char *)bad, name[300];
	struct stat *st = (struct stat *)bad;
	int p[2];

	t_tmp();
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	TRY(pipe(p));
	FAIL(open(name, O_RDONLY), ENAMETOOLONG);
	FAIL(open(nowhere, O_RDONLY), EFAULT);
	FAIL(stat("/", st), EFAULT);
	FAIL(read(-1, name, 1), EBADF);
	FAIL(read(p[1], name, 1), EBADF);
	FAIL(write(p[1], nowhere, 10), EFAULT);
	FAIL(lseek(p[0], 0, SEEK_SET), ESPIPE);
	FAIL(rmdir("/"), EBUSY);
	FAIL(rmdir("."), EINVAL);
	FAIL(mkdir("/", 0755), EEXIST);
	FAIL(unlink(""), ENOENT);
	FAIL(ioctl(p[0], 0x1234), ENOTTY);
	FAIL(fcntl(p[0], 9999), EINVAL);
	FAIL(kill(getpid(), 1000), EINVAL);
	FAIL(waitpid(-1, NULL, 0), ECHILD);
	FAIL(socket(999, SOCK_STREAM, 0), EAFNOSUPPORT);
	FAIL(syscall(100000), ENOSYS);
	FAIL(close(1000), EBADF);
	say("from pid %d\n", getpid());
	return 0;
}
