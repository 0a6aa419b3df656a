/* chdir, fchdir, getcwd, a directory removed under our feet. */
#include "t.h"

int main(void)
{
	char buf[PATH_MAX], deep[] = "a/b/c/d/e/f/g/h";
	int top;

	say("%s\n", t_tmp());
	for (char *p = deep; (p = strchr(p, '/')); *p++ = '/') {
		*p = 0;
		TRY(mkdir(deep, 0755));
	}
	TRY(mkdir(deep, 0755));
	top = TRY(open(".", O_RDONLY | O_DIRECTORY));
	TRY(chdir(deep));
	CHECK(getcwd(buf, sizeof(buf)));
	say("%s\n", buf);
	CHECK(!getcwd(buf, 5) && errno == ERANGE);
	TRY(rmdir("../h"));
	CHECK(!getcwd(buf, sizeof(buf)) && errno == ENOENT);
	CHECK(open("new", O_CREAT | O_RDWR, 0600) == -1 && errno == ENOENT);
	TRY(fchdir(top));
	CHECK(getcwd(buf, sizeof(buf)) && realpath("a/../a/b", buf));
	say("%s\n", buf);
	CHECK(chdir("a/none") == -1 && errno == ENOENT);
	return 0;
}
