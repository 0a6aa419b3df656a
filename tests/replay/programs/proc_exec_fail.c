/* exec that fails, in each of its ways, and then one that works. */
#include "t.h"

static void attempt(const char *path, int want)
{
	CHECK(execl(path, path, NULL) == -1);
	say("%s: %d\n", path, errno);
	CHECK(errno == want);
}

int main(void)
{
	t_tmp();
	t_write_file("plain", "hello", 5);
	t_write_file("bad", "\177ELFnonsense", 12);
	TRY(chmod("bad", 0755));
	t_write_file("interp", "#!/none/such\n", 13);
	TRY(chmod("interp", 0755));
	TRY(symlink("loop", "loop"));
	attempt("none", ENOENT);
	attempt("plain", EACCES);
	attempt("bad", ENOEXEC);
	attempt("interp", ENOENT);
	attempt(".", EACCES);
	attempt("loop", ELOOP);
	attempt("plain/x", ENOTDIR);
	say("pid %d goes on\n", getpid());
	t_tmp_remove();
	TRY(execl("/bin/sh", "sh", "-c", "echo $$ is the shell; exit 0", NULL));
	return 1;
}
