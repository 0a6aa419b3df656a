/* stdio with each kind of buffering, ungetc, seeking, reading back. */
#include "t.h"

static void run(int mode, const char *name)
{
	char line[100];
	FILE *f = fopen("f", "w+");
	int c;

	CHECK(f && setvbuf(f, NULL, mode, mode == _IOFBF ? 64 : 0) == 0);
	for (int i = 0; i < 20; i++)
		fprintf(f, "%s %d %lu\n", name, i, t_now_ns());
	CHECK(fseek(f, 0, SEEK_SET) == 0 && fgets(line, sizeof(line), f));
	say("%s", line);
	c = fgetc(f);
	CHECK(ungetc(c, f) == c && fgetc(f) == c);
	say("at %ld\n", ftell(f));
	CHECK(fseek(f, -5, SEEK_END) == 0 && fread(line, 1, 10, f) == 5 && feof(f));
	fclose(f);
}

int main(void)
{
	t_tmp();
	run(_IONBF, "none");
	run(_IOLBF, "line");
	run(_IOFBF, "full");
	printf("buffered %d, ", getpid());
	fprintf(stderr, "not buffered %lu\n", t_now_ns());
	printf("flushed at exit\n");
	return 0;
}
