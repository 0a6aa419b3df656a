/* posix_spawn with file actions, attributes and a new group. */
#include "t.h"
#include <spawn.h>

extern char **environ;

int main(void)
{
	posix_spawn_file_actions_t fa;
	char *args[] = {"sh", "-c", "echo from $$; cat; exit 9", NULL};
	posix_spawnattr_t at;
	char buf[256];
	sigset_t set;
	ssize_t n;
	pid_t pid;
	int fd;

	t_tmp();
	n = snprintf(buf, sizeof(buf), "input %lu\n", t_now_ns());
	t_write_file("in", buf, (size_t)n);
	TRY0(posix_spawn_file_actions_init(&fa));
	TRY0(posix_spawn_file_actions_addopen(&fa, 0, "in", O_RDONLY, 0));
	TRY0(posix_spawn_file_actions_addopen(&fa, 1, "out", O_WRONLY | O_CREAT, 0600));
	TRY0(posix_spawnattr_init(&at));
	sigemptyset(&set);
	TRY0(posix_spawnattr_setsigmask(&at, &set));
	TRY0(posix_spawnattr_setpgroup(&at, 0));
	TRY0(posix_spawnattr_setflags(&at, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK));
	TRY0(posix_spawnp(&pid, "sh", &fa, &at, args, environ));
	CHECK(WEXITSTATUS(t_wait(pid)) == 9);
	fd = TRY(open("out", O_RDONLY));
	n = TRY(read(fd, buf, sizeof(buf)));
	say("%.*s", (int)n, buf);
	CHECK(posix_spawn(&pid, "/none", NULL, NULL, args, environ) == ENOENT);
	return 0;
}
