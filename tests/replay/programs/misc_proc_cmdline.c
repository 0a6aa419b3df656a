/* /proc/self/cmdline, environ, exe, cwd, fd, limits. */
#include "t.h"
#include <dirent.h>

int main(void)
{
	static const char *const links[] = {"exe", "cwd", "root", "fd/0", "ns/pid"};
	char path[64], buf[4096];
	struct dirent *e;
	ssize_t n;
	DIR *d;
	int fd;

	for (unsigned i = 0; i < 5; i++) {
		snprintf(path, sizeof(path), "/proc/self/%s", links[i]);
		n = readlink(path, buf, sizeof(buf));
		say("%s -> %.*s\n", links[i], n < 0 ? 0 : (int)n, buf);
	}
	fd = TRY(open("/proc/self/cmdline", O_RDONLY));
	n = TRY(read(fd, buf, sizeof(buf)));
	CHECK(n > 0);
	say("cmdline %s (%zd)\n", buf, n);
	TRY(close(fd));
	fd = TRY(open("/proc/self/environ", O_RDONLY));
	n = TRY(read(fd, buf, sizeof(buf)));
	say("environ %zd bytes %016lx\n", n, t_hash(buf, (size_t)n));
	d = opendir("/proc/self/fd");
	CHECK(d);
	while ((e = readdir(d)))
		say("fd %s\n", e->d_name);
	closedir(d);
	return 0;
}
