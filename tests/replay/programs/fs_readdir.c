/* readdir, telldir, seekdir, rewinddir and scandir over 300 random names. */
#include "t.h"
#include <dirent.h>

int main(void)
{
	uint64_t first = 0, second = 0;
	struct dirent *e, **list;
	char name[32];
	long mark = 0;
	DIR *d;
	int n = 0;

	t_tmp();
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "%016lx", t_rand());
		TRY(mkdir(name, 0755));
	}
	d = opendir(".");
	CHECK(d);
	while ((e = readdir(d))) {
		first = first * 31 + t_hash(e->d_name, strlen(e->d_name)) + e->d_ino;
		if (++n == 100)
			mark = telldir(d);
	}
	CHECK(n == 302);
	seekdir(d, mark);
	e = readdir(d);
	CHECK(e);
	say("hash %016lx, entry 101 is %s\n", first, e->d_name);
	rewinddir(d);
	while ((e = readdir(d)))
		second = second * 31 + t_hash(e->d_name, strlen(e->d_name)) + e->d_ino;
	CHECK(first == second);
	closedir(d);
	n = scandir(".", &list, NULL, alphasort);
	CHECK(n == 302);
	say("first %s last %s\n", list[2]->d_name, list[301]->d_name);
	while (n--)
		free(list[n]);
	free(list);
	return 0;
}
