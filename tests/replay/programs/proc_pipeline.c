/* A pipeline of three processes, built by hand. */
#include "t.h"

static pid_t stage(int in, int out, int spare, const char *cmd)
{
	pid_t pid = TRY(fork());

	if (!pid) {
		TRY(dup2(in, 0));
		TRY(dup2(out, 1));
		if (spare >= 0)
			close(spare);
		if (in > 2)
			close(in);
		if (out > 2)
			close(out);
		execl("/bin/sh", "sh", "-c", cmd, NULL);
		_exit(127);
	}
	return pid;
}

int main(void)
{
	int a[2], b[2];
	pid_t p[3];

	TRY(pipe(a));
	p[0] = stage(0, a[1], a[0], "for i in 5 3 9 1; do echo $i $$; done");
	TRY(close(a[1]));
	TRY(pipe(b));
	p[1] = stage(a[0], b[1], b[0], "sort -n");
	TRY(close(a[0]));
	TRY(close(b[1]));
	p[2] = stage(b[0], 1, -1, "while read x; do echo got $x; done");
	TRY(close(b[0]));
	for (int i = 0; i < 3; i++)
		CHECK(t_wait(p[i]) == 0);
	say("done %d\n", getpid());
	return 0;
}
