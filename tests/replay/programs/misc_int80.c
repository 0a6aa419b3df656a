/* 32-bit system calls from a 64-bit program, where the kernel still takes them. */
#include "t.h"

static sigjmp_buf env;

static void on_segv(int sig)
{
	siglongjmp(env, sig);
}

static long call32(long nr)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(nr) : "r8", "r9", "r10", "r11", "memory");
	return ret;
}

int main(void)
{
	t_on(SIGSEGV, on_segv, 0);
	if (sigsetjmp(env, 1)) {
		say("not here, pid %d\n", getpid());
		return 0;
	}
	say("getpid %ld, getppid %ld\n", call32(20), call32(64));
	CHECK(call32(20) == getpid() || call32(20) == -ENOSYS);
	return 0;
}
