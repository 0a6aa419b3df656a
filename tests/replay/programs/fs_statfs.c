/* statfs, fstatfs and statvfs: free space, which other programs change all the time. */
#include "t.h"
#include <sys/statfs.h>
#include <sys/statvfs.h>

int main(void)
{
	struct statfs s, p;
	struct statvfs v;
	int fd = TRY(open("/", O_RDONLY | O_DIRECTORY));

	TRY(statfs("/", &s));
	say("type %lx blocks %lu free %lu files free %lu\n", s.f_type, s.f_blocks, s.f_bfree,
		s.f_ffree);
	TRY(fstatfs(fd, &s));
	say("again: free %lu avail %lu name %ld\n", s.f_bfree, s.f_bavail, s.f_namelen);
	TRY(statfs("/proc", &p));
	say("proc: type %lx\n", p.f_type);
	CHECK(p.f_type == 0x9fa0);
	TRY(statvfs("/", &v));
	say("statvfs: bsize %lu free %lu flag %lx\n", v.f_bsize, v.f_bfree, v.f_flag);
	return 0;
}
