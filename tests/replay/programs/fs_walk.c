/* A tree built with random names, walked with nftw and glob. */
#include "t.h"
#include <glob.h>

static int count;
static uint64_t sum;

static int visit(const char *path, const struct stat *st, int flag, struct FTW *f)
{
	sum = sum * 33 + t_hash(path, strlen(path)) + st->st_ino;
	count += flag >= 0 && f->level >= 0;
	return 0;
}

int main(void)
{
	char path[128];
	glob_t g;

	t_tmp();
	for (int i = 0; i < 5; i++) {
		snprintf(path, sizeof(path), "d%d", i);
		TRY(mkdir(path, 0755));
		for (int k = 0; k < 6; k++) {
			snprintf(path, sizeof(path), "d%d/%08x.txt", i, (unsigned)t_rand());
			t_write_file(path, path, strlen(path));
		}
	}
	TRY(nftw(".", visit, 8, FTW_PHYS));
	CHECK(glob("d*/*.txt", 0, NULL, &g) == 0);
	say("%d visited, sum %016lx, glob %zu first %s\n", count, sum, g.gl_pathc, g.gl_pathv[0]);
	CHECK(count == 36 && g.gl_pathc == 30);
	globfree(&g);
	return 0;
}
