/* arch_prctl: the FS and GS bases; GS is the program's own. */
#include "t.h"
#include <asm/prctl.h>

int main(void)
{
	uint64_t fs = 0, gs = 1, cell = t_rand(), got;

	TRY(syscall(SYS_arch_prctl, ARCH_GET_FS, &fs));
	CHECK(fs == (uint64_t)pthread_self());
	TRY(syscall(SYS_arch_prctl, ARCH_SET_GS, &cell));
	TRY(syscall(SYS_arch_prctl, ARCH_GET_GS, &gs));
	CHECK(gs == (uintptr_t)&cell);
	__asm__ volatile("mov %%gs:0, %0" : "=r"(got));
	say("fs %lx cell %016lx through gs %016lx\n", fs, cell, got);
	CHECK(got == cell);
	CHECK(syscall(SYS_arch_prctl, 0x9999, 0) == -1 && errno == EINVAL);
	return 0;
}
