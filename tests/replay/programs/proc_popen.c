/* popen for reading and for writing. */
#include "t.h"

int main(void)
{
	char line[128];
	FILE *f = popen("for i in 1 2 3; do echo $i $$; done; date +%N", "r");
	int n = 0;

	CHECK(f);
	while (fgets(line, sizeof(line), f)) {
		say("read %s", line);
		n++;
	}
	CHECK(pclose(f) == 0 && n == 4);
	f = popen("sort -r", "w");
	CHECK(f);
	for (int i = 0; i < 5; i++)
		fprintf(f, "%d %lu\n", i, t_rand() % 1000);
	CHECK(pclose(f) == 0);
	f = popen("exit 3", "re");
	CHECK(f && WEXITSTATUS(pclose(f)) == 3);
	return 0;
}
