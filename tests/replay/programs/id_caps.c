/* capget and the bounding set. */
#include "t.h"
#include <linux/capability.h>
#include <sys/prctl.h>

int main(void)
{
	struct __user_cap_header_struct h = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct d[2] = {0};
	uint64_t bound = 0;

	TRY(syscall(SYS_capget, &h, d));
	say("effective %08x%08x permitted %08x%08x\n", d[1].effective, d[0].effective,
		d[1].permitted, d[0].permitted);
	for (unsigned long i = 0; i < 64; i++)
		if (prctl(PR_CAPBSET_READ, i) == 1)
			bound |= 1ull << i;
	say("bounding %016lx pid %d\n", bound, getpid());
	TRY(syscall(SYS_capset, &h, d));
	return 0;
}
