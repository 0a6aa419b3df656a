/* exec of a script by its #! line, with an argument there. */
#include "t.h"

int main(void)
{
	char buf[256];
	ssize_t n;
	pid_t pid;
	int p[2];

	t_tmp();
	t_write_file("s", "#!/bin/sh -e\necho \"$0 $1 $$\"\nexit 12\n", 38);
	TRY(chmod("s", 0755));
	TRY(pipe(p));
	pid = TRY(fork());
	if (!pid) {
		TRY(dup2(p[1], 1));
		TRY(execl("./s", "ignored", "argument", NULL));
	}
	TRY(close(p[1]));
	while ((n = TRY(read(p[0], buf, sizeof(buf)))) > 0)
		say("%.*s", (int)n, buf);
	CHECK(WEXITSTATUS(t_wait(pid)) == 12);
	say("pid was %d\n", pid);
	return 0;
}
