/* System calls without the C library: nothing here can be interposed, and errno is left alone. */
#pragma once
#include <stdint.h>
#include <sys/syscall.h>

/* The kernel's answer: a result, or -errno. */
static inline long rt_syscall(long n, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

#define rt_syscall0(n)             rt_syscall(n, 0, 0, 0, 0, 0, 0)
#define rt_syscall1(n, a)          rt_syscall(n, (long)(a), 0, 0, 0, 0, 0)
#define rt_syscall2(n, a, b)       rt_syscall(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define rt_syscall3(n, a, b, c)    rt_syscall(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define rt_syscall4(n, a, b, c, d) rt_syscall(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define rt_syscall6(n, a, b, c, d, e, f)                                                           \
	rt_syscall(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

static inline long rt_gettid(void)
{
	return rt_syscall0(SYS_gettid);
}

static inline long rt_getpid(void)
{
	return rt_syscall0(SYS_getpid);
}
