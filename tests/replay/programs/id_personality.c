/* personality: query, set, inherit across exec. */
#include "t.h"
#include <sys/personality.h>

int main(int argc, char **argv)
{
	int now = personality(0xffffffff);

	say("personality %x pid %d stack %p\n", now, getpid(), (void *)&now);
	if (argc > 1) {
		CHECK(now & ADDR_NO_RANDOMIZE);
		return 0;
	}
	TRY(personality((unsigned long)now | ADDR_NO_RANDOMIZE));
	CHECK(personality(0xffffffff) & ADDR_NO_RANDOMIZE);
	TRY(execl("/proc/self/exe", argv[0], "again", NULL));
	return 1;
}
