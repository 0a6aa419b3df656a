/* CLONE_FS shares directory and umask; without it they are one's own; unshare splits. */
#include "t.h"

static int body(void *arg)
{
	if (arg)
		TRY(unshare(CLONE_FS));
	TRY(chdir("sub"));
	umask(0111);
	return 0;
}

static void run(int flags, void *arg, const char *name)
{
	char *stack =
		TRY(mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	char cwd[PATH_MAX];
	mode_t m;

	CHECK(t_wait(TRY(clone(body, stack + 65536, flags | SIGCHLD, arg))) == 0);
	CHECK(getcwd(cwd, sizeof(cwd)));
	m = umask(022);
	say("%s: %s umask %o\n", name, cwd, m);
	CHECK((m == 0111) == (flags == CLONE_FS && !arg));
	TRY(chdir(t_tmp_path));
	TRY(munmap(stack, 65536));
}

int main(void)
{
	t_tmp();
	TRY(mkdir("sub", 0755));
	umask(022);
	run(0, NULL, "apart");
	run(CLONE_FS, NULL, "shared");
	run(CLONE_FS, "x", "unshared");
	return 0;
}
