/* process_vm_readv and process_vm_writev on a child. */
#include "t.h"

static char area[64];

int main(void)
{
	struct iovec local = {NULL, 0}, remote = {area, 32};
	char buf[64] = {0};
	int p[2], q[2];
	ssize_t n;
	pid_t pid;

	TRY(pipe(p));
	TRY(pipe(q));
	pid = TRY(fork());
	if (!pid) {
		snprintf(area, sizeof(area), "secret %016lx", t_rand());
		CHECK(write(p[1], "r", 1) == 1 && read(q[0], buf, 1) == 1);
		say("child's area: %s\n", area);
		_exit(0);
	}
	CHECK(read(p[0], buf, 1) == 1);
	local = (struct iovec){buf, 32};
	n = process_vm_readv(pid, &local, 1, &remote, 1, 0);
	say("read %zd errno %d: %s\n", n, n < 0 ? errno : 0, buf);
	CHECK(n == 32 || errno == EPERM || errno == ENOSYS);
	strcpy(buf, "overwritten by the parent");
	n = process_vm_writev(pid, &local, 1, &remote, 1, 0);
	CHECK(n == 32 || errno == EPERM || errno == ENOSYS);
	CHECK(write(q[1], "g", 1) == 1);
	CHECK(t_wait(pid) == 0);
	return 0;
}
