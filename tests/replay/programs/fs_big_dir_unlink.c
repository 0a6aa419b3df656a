/* Create 200 files, remove them in random order, watch the directory shrink. */
#include "t.h"
#include <dirent.h>

static int entries(void)
{
	DIR *d = opendir(".");
	int n = 0;

	CHECK(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

int main(void)
{
	char name[16];
	int left[200];

	t_tmp();
	for (int i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "%d", i);
		TRY(close(TRY(open(name, O_CREAT | O_WRONLY, 0600))));
		left[i] = i;
	}
	CHECK(entries() == 200);
	for (int n = 200; n; n--) {
		unsigned k = t_rand_in(0, (unsigned)n - 1);

		snprintf(name, sizeof(name), "%d", left[k]);
		TRY(unlink(name));
		say("%s%s", name, n % 20 ? " " : "\n");
		left[k] = left[n - 1];
		if (n % 50 == 0)
			CHECK(entries() == n - 1);
	}
	return 0;
}
