/* User and group ids, real, effective and saved; setting them to themselves. */
#include "t.h"
#include <grp.h>
#include <pwd.h>
#include <sys/fsuid.h>

int main(void)
{
	struct passwd *pw = getpwuid(getuid());
	gid_t groups[64];
	uid_t r, e, s;
	gid_t gr, ge, gs;
	int n;

	TRY(getresuid(&r, &e, &s));
	TRY(getresgid(&gr, &ge, &gs));
	say("uid %u %u %u gid %u %u %u name %s\n", r, e, s, gr, ge, gs, pw ? pw->pw_name : "-");
	TRY(setuid(getuid()));
	TRY(setgid(getgid()));
	TRY(setresuid(r, e, (uid_t)-1));
	TRY(setregid(gr, ge));
	n = TRY(getgroups(64, groups));
	for (int i = 0; i < n; i++)
		say("group %u\n", groups[i]);
	n = setgroups(0, NULL);
	say("setgroups %d, fsuid %d, pid %d\n", n, setfsuid((uid_t)-1), getpid());
	return 0;
}
