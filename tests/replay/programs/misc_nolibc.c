/* No C library at all: entered at _start, raw system calls, the stack as the kernel made it. */
#include <stdint.h>
#include <sys/syscall.h>

static long call(long nr, long a, long b, long c)
{
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return ret;
}

static void put(uint64_t v)
{
	char buf[17];

	for (int i = 15; i >= 0; i--, v >>= 4)
		buf[i] = "0123456789abcdef"[v & 15];
	buf[16] = '\n';
	call(SYS_write, 1, (long)buf, 17);
}

__attribute__((used)) static void start(const uint64_t *sp)
{
	uint64_t ts[2];

	put(sp[0]);
	put((uint64_t)call(SYS_getpid, 0, 0, 0));
	call(SYS_clock_gettime, 1, (long)ts, 0);
	put(ts[1]);
	put((uintptr_t)sp);
	call(SYS_exit_group, sp[0] == 1 ? 0 : 1, 0, 0);
}

__asm__(".globl _start\n_start:\n mov %rsp, %rdi\n and $-16, %rsp\n call start\n hlt\n");
