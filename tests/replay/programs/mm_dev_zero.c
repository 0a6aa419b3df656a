/* Mappings of /dev/zero and of a file behind its hole. */
#include "t.h"

int main(void)
{
	int fd = TRY(open("/dev/zero", O_RDWR));
	char *m = TRY(mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0));
	char *s = TRY(mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
	pid_t pid;

	CHECK(m[5000] == 0 && s[5000] == 0);
	m[5000] = 'p';
	pid = TRY(fork());
	if (!pid) {
		snprintf(s, 100, "written by %d", getpid());
		m[5000] = 'c';
		_exit(0);
	}
	CHECK(t_wait(pid) == 0 && m[5000] == 'p');
	say("%s\n", s);
	return 0;
}
