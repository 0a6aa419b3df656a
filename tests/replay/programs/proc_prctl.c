/* prctl: names, dumpable, no new privileges, timer slack, the parent's death signal. */
#include "t.h"
#include <sys/prctl.h>

int main(void)
{
	char name[17] = {0};
	int v = -1;

	TRY(prctl(PR_GET_NAME, name));
	say("name %s\n", name);
	TRY(prctl(PR_SET_NAME, "renamed-by-prctl"));
	TRY(prctl(PR_GET_NAME, name));
	CHECK(strcmp(name, "renamed-by-prct") == 0);
	say("dumpable %d keepcaps %d\n", prctl(PR_GET_DUMPABLE), prctl(PR_GET_KEEPCAPS));
	TRY(prctl(PR_SET_TIMERSLACK, 77777));
	CHECK(prctl(PR_GET_TIMERSLACK) == 77777);
	TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	CHECK(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
	TRY(prctl(PR_GET_PDEATHSIG, &v));
	CHECK(v == 0);
	CHECK(prctl(99999) == -1 && errno == EINVAL);
	say("pid %d\n", getpid());
	return 0;
}
