/* system(): a shell, its status, and signals while waiting. */
#include "t.h"

int main(void)
{
	int r;

	fflush(stdout);
	CHECK(system(NULL));
	r = system("echo shell $$ says hello; exit 7");
	CHECK(WEXITSTATUS(r) == 7);
	r = system("kill -TERM $$");
	CHECK(WIFSIGNALED(r) || WEXITSTATUS(r) == 143);
	r = system("date +%s%N | wc -c > /dev/null; true");
	CHECK(r == 0);
	r = system("no-such-command-here 2>/dev/null");
	say("status %d pid %d\n", WEXITSTATUS(r), getpid());
	CHECK(WEXITSTATUS(r) == 127);
	return 0;
}
