/* uname, gethostname, getdomainname, sysinfo, sysconf: facts and changing numbers. */
#include "t.h"
#include <sys/sysinfo.h>
#include <sys/utsname.h>

int main(void)
{
	struct utsname u;
	struct sysinfo si;
	char name[65];

	TRY(uname(&u));
	say("%s %s %s %s %s\n", u.sysname, u.nodename, u.release, u.version, u.machine);
	TRY(gethostname(name, sizeof(name)));
	CHECK(strcmp(name, u.nodename) == 0);
	TRY(getdomainname(name, sizeof(name)));
	TRY(sysinfo(&si));
	say("up %ld load %lu free %lu procs %d\n", si.uptime, si.loads[0], si.freeram, si.procs);
	say("avphys %ld cpus %d\n", get_avphys_pages(), get_nprocs());
	say("page %ld ticks %ld open %ld\n", sysconf(_SC_PAGESIZE), sysconf(_SC_CLK_TCK),
		sysconf(_SC_OPEN_MAX));
	return 0;
}
