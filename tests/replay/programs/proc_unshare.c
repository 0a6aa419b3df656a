/* unshare of what an ordinary user may, and of namespaces, which may be refused. */
#include "t.h"

int main(void)
{
	char host[65];
	int r;

	TRY(unshare(CLONE_FILES | CLONE_FS | CLONE_SYSVSEM));
	r = unshare(CLONE_NEWUTS);
	say("uts: %d %d\n", r, r ? errno : 0);
	if (r == 0) {
		TRY(sethostname("inside", 6));
		TRY(gethostname(host, sizeof(host)));
		CHECK(strcmp(host, "inside") == 0);
	}
	r = unshare(CLONE_NEWUSER);
	say("user: %d %d, uid %d, pid %d\n", r, r ? errno : 0, getuid(), getpid());
	return 0;
}
