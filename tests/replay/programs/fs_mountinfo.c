/* /proc/self/mountinfo and /proc/filesystems, as the C library reads them. */
#include "t.h"
#include <mntent.h>

int main(void)
{
	struct mntent *m;
	char line[512];
	FILE *f = setmntent("/proc/self/mounts", "r");
	int n = 0;

	CHECK(f);
	while ((m = getmntent(f)) && n < 10)
		say("%d: %s on %s type %s\n", n++, m->mnt_fsname, m->mnt_dir, m->mnt_type);
	endmntent(f);
	f = fopen("/proc/self/mountinfo", "re");
	CHECK(f && fgets(line, sizeof(line), f));
	say("%s", line);
	fclose(f);
	CHECK(n > 0);
	return 0;
}
