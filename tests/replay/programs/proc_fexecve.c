/* fexecve and execveat of an open file; close-on-exec took the others away. */
#include "t.h"

int main(int argc, char **argv)
{
	char *env[] = {"X=1", NULL}, num[16];
	char *args[] = {argv[0], num, NULL};
	int fd, other;

	if (argc > 1) {
		say("step %s: fd 50 %s\n", argv[1], fcntl(50, F_GETFD) < 0 ? "closed" : "open");
		CHECK((fcntl(50, F_GETFD) < 0) == (atoi(argv[1]) == 1));
		if (atoi(argv[1]) == 2)
			return 0;
	}
	fd = TRY(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
	other = TRY(open("/dev/null", O_RDONLY));
	TRY(dup3(other, 50, argc > 1 ? 0 : O_CLOEXEC));
	snprintf(num, sizeof(num), "%d", argc > 1 ? 2 : 1);
	say("pid %d\n", getpid());
	if (argc > 1)
		TRY(syscall(SYS_execveat, fd, "", args, env, AT_EMPTY_PATH));
	TRY(fexecve(fd, args, env));
	return 1;
}
