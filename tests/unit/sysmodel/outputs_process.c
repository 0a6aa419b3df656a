/* Tasks: identity, limits, children, signals, futexes, memory. */
#include "probe.h"

#include <asm/prctl.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t new_word(uint32_t v)
{
	return probe_put(&v, sizeof(v));
}

static void capabilities(void)
{
	struct __user_cap_header_struct h = {.version = _LINUX_CAPABILITY_VERSION_3};
	uint64_t sets = probe_room(24);

	OK(capget, probe_put(&h, sizeof(h)), sets);
	assert_int_equal(probe_bytes(), 4 + 24);
	h.version = _LINUX_CAPABILITY_VERSION_1;
	OK(capget, probe_put(&h, sizeof(h)), sets);
	assert_int_equal(probe_bytes(), 4 + 12);
	/* The kernel puts its own version in. */
	h.version = 1;
	CALL(capget, probe_put(&h, sizeof(h)), sets);
	CALL(capget, probe_put(&h, sizeof(h)), 0);
	CALL(capset, probe_put(&h, sizeof(h)), sets);
}

void outputs_of_identity(void **state)
{
	uint64_t a = probe_room(4), b = probe_room(4), c = probe_room(4), groups = probe_room(4096);

	OK(getpid);
	OK(getppid);
	OK(gettid);
	OK(getuid);
	OK(geteuid);
	OK(getgid);
	OK(getegid);
	OK(getpgrp);
	OK(getpgid, 0);
	OK(getsid, 0);
	OK_BYTES(12, getresuid, a, b, c);
	OK_BYTES(12, getresgid, a, b, c);
	OK_BYTES(0, getgroups, 0, groups);
	CALL(getgroups, 1024, groups);
	OK_BYTES(8, getcpu, a, b, 0);
	OK_BYTES(16, get_robust_list, 0, probe_room(8), probe_room(8));
	CALL(kcmp, getpid(), getpid(), 0, 0, 0);
	CALL(lsm_list_modules, probe_room(800), new_word(800), 0);
	CALL(lsm_list_modules, probe_room(8), new_word(1), 0);
	CALL(lsm_get_self_attr, 100, probe_room(800), new_word(800), 0);
	CALL(landlock_create_ruleset, 0, 0, 1);
	OK(personality, 0xffffffff);
	capabilities();
}

void outputs_of_limits(void **state)
{
	uint64_t lim = probe_room(16);

	OK_BYTES(16, getrlimit, RLIMIT_NOFILE, lim);
	OK(setrlimit, RLIMIT_NOFILE, lim);
	OK_BYTES(16, prlimit64, 0, RLIMIT_STACK, 0, lim);
	OK_BYTES(144, getrusage, RUSAGE_SELF, probe_room(144));
	OK_BYTES(32, times, probe_room(32));
	OK(getpriority, PRIO_PROCESS, 0);
	OK(setpriority, PRIO_PROCESS, 0, 0);
	OK(sched_getscheduler, 0);
	OK(sched_get_priority_max, SCHED_FIFO);
	OK(sched_get_priority_min, SCHED_FIFO);
	OK_BYTES(4, sched_getparam, 0, probe_room(4));
	OK(sched_rr_get_interval, 0, probe_room(16));
	OK_BYTES(OK(sched_getaffinity, 0, 128, probe_room(128)), sched_getaffinity, 0, 128,
		probe_room(128));
	OK(sched_getattr, 0, probe_room(100), 56, 0);
	CALL(sched_setattr, 0, probe_room(100), 0);
	OK(ioprio_get, 1, 0);
	OK(sched_yield);
	CALL(membarrier, 0, 0, 0);
}

static void wait_for(int64_t pid)
{
	uint64_t status = probe_room(4), usage = probe_room(144);

	assert_int_equal(OK(wait4, pid, status, 0, usage), pid);
	assert_int_equal(probe_bytes(), 148);
	/* The child found its own memory as the table says. */
	assert_int_equal(*(int *)probe_at(status), 0);
}

static void clone_with_descriptor(void)
{
	struct clone_args a = {.flags = CLONE_PIDFD | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID};
	int64_t pid;

	a.exit_signal = SIGCHLD;
	a.pidfd = probe_room(4);
	a.parent_tid = probe_room(4);
	a.child_tid = probe_room(4);
	pid = CALL(clone3, probe_put(&a, sizeof(a)), sizeof(a));
	if (pid < 0)
		return;
	assert_int_equal(probe_bytes(), 8);
	CALL(pidfd_send_signal, *(int *)probe_at(a.pidfd), 0, 0, 0);
	OK(close, *(int *)probe_at(a.pidfd));
	wait_for(pid);
}

void outputs_of_children(void **state)
{
	uint64_t flags = CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | SIGCHLD, info = probe_room(128);
	int64_t pid;

	wait_for(OK(fork));
	pid = OK(clone, flags, 0, probe_room(4), probe_room(4), 0);
	assert_int_equal(probe_bytes(), 4);
	wait_for(pid);
	pid = OK(clone, CLONE_PIDFD | SIGCHLD, 0, probe_room(4), 0, 0);
	wait_for(pid);
	clone_with_descriptor();
	pid = OK(fork);
	OK(waitid, P_PID, pid, info, WEXITED | WNOWAIT, probe_room(144));
	OK(waitid, P_PID, pid, info, WEXITED, 0);
	/* Without a child the result is an error, and the structure is cleared all the same. */
	assert_int_equal(CALL(waitid, P_PID, pid, probe_room(128), WEXITED, 0), -ECHILD);
	assert_int_equal(CALL(wait4, pid, probe_room(4), 0, 0), -ECHILD);
	pid = OK(pidfd_open, getpid(), 0);
	CALL(pidfd_getfd, pid, 0, 0);
	OK(close, pid);
	CALL(execve, probe_str("/absent"), 0, 0);
}

void outputs_of_signals(void **state)
{
	uint64_t set = probe_put(&(uint64_t){1UL << (SIGUSR1 - 1)}, 8), old = probe_room(8);
	uint64_t info = probe_room(128), zero = probe_put((uint64_t[2]){0, 0}, 16);

	OK_BYTES(32, rt_sigaction, SIGUSR2, 0, probe_room(32), 8);
	OK_BYTES(8, rt_sigprocmask, SIG_BLOCK, set, old, 8);
	OK(tgkill, getpid(), getpid(), SIGUSR1);
	OK_BYTES(8, rt_sigpending, probe_room(8), 8);
	assert_int_equal(OK(rt_sigtimedwait, set, info, zero, 8), SIGUSR1);
	assert_int_equal(probe_bytes(), 128);
	assert_int_equal(CALL(rt_sigtimedwait, set, info, zero, 8), -EAGAIN);
	OK(tkill, getpid(), SIGUSR1);
	OK(rt_sigtimedwait, set, 0, zero, 8);
	*(int *)probe_at(info) = SIGUSR1;
	((int *)probe_at(info))[2] = SI_QUEUE;
	OK(rt_sigqueueinfo, getpid(), SIGUSR1, info);
	OK(rt_sigtimedwait, set, info, zero, 8);
	OK(rt_tgsigqueueinfo, getpid(), getpid(), SIGUSR1, info);
	OK(rt_sigtimedwait, set, info, zero, 8);
	OK_BYTES(24, sigaltstack, 0, probe_room(24));
	OK(rt_sigprocmask, SIG_SETMASK, old, 0, 8);
}

void outputs_of_prctl(void **state)
{
	uint64_t word = probe_room(8);

	OK(prctl, PR_SET_NAME, probe_str("outputs"));
	OK_BYTES(16, prctl, PR_GET_NAME, probe_room(16));
	OK_BYTES(4, prctl, PR_GET_PDEATHSIG, word);
	OK_BYTES(4, prctl, PR_GET_TSC, word);
	OK_BYTES(4, prctl, PR_GET_CHILD_SUBREAPER, word);
	CALL(prctl, PR_GET_TID_ADDRESS, word);
	OK(prctl, PR_GET_DUMPABLE);
	CALL(prctl, PR_CAPBSET_READ, 0);
	CALL(prctl, 0x41555856, probe_room(1000), 1000); /* PR_GET_AUXV */
	CALL(prctl, 0x41555856, probe_room(40), 40);
	CALL(prctl, 62, 0, 0, 0, word); /* PR_SCHED_CORE */
	assert_int_equal(CALL(prctl, 999999, word), -EINVAL);
	OK_BYTES(8, arch_prctl, ARCH_GET_FS, word);
	OK_BYTES(8, arch_prctl, ARCH_GET_GS, word);
	CALL(arch_prctl, 0x1021, word);
	CALL(arch_prctl, 0x4001, word);
	CALL(seccomp, SECCOMP_GET_NOTIF_SIZES, 0, probe_room(6));
	CALL(seccomp, SECCOMP_GET_ACTION_AVAIL, 0, new_word(SECCOMP_RET_ERRNO));
	CALL(modify_ldt, 0, probe_room(64), 64);
	CALL(modify_ldt, 2, probe_room(64), 64);
}

void outputs_of_futexes(void **state)
{
	uint64_t word = new_word(0), other = new_word(7), past = probe_put((uint64_t[2]){0, 1}, 16);

	OK(futex, word, FUTEX_LOCK_PI, 0, 0);
	assert_int_equal(CALL(futex, word, FUTEX_LOCK_PI, 0, past), -EDEADLK);
	OK(futex, word, FUTEX_UNLOCK_PI);
	OK(futex, word, FUTEX_TRYLOCK_PI);
	OK(futex, word, FUTEX_UNLOCK_PI | FUTEX_PRIVATE_FLAG);
	OK(futex, word, FUTEX_WAKE_OP, 1, 1, other, FUTEX_OP(FUTEX_OP_ADD, 5, FUTEX_OP_CMP_EQ, 0));
	assert_int_equal(*(int *)probe_at(other), 12);
	OK(futex, word, FUTEX_WAKE, 1);
	assert_int_equal(CALL(futex, other, FUTEX_WAIT, 3, past), -EAGAIN);
	assert_int_equal(CALL(futex, other, FUTEX_WAIT, 12, past), -ETIMEDOUT);
	OK(futex, word, FUTEX_CMP_REQUEUE, 1, 1, other, *(int *)probe_at(word));
	CALL(futex_wake, word, 0xffffffff, 1, 2);
	CALL(futex_wait, other, 3, 0xffffffff, 2, 0, 0);
	CALL(futex_waitv, probe_put((uint64_t[3]){3, other, 2}, 24), 1, 0, 0, 1);
}

void outputs_of_memory(void **state)
{
	uint64_t page = (uintptr_t)probe_at(probe_room(9000)), list, to = probe_room(64);
	uint64_t local = NEW_STRUCT(struct iovec, probe_at(to), 64);
	uint64_t remote = NEW_STRUCT(struct iovec, probe_at(page), 40);
	uint64_t map;

	page = (page + 4095) & ~4095UL;
	OK_BYTES(2, mincore, page, 8000, probe_room(10));
	assert_int_equal(CALL(mincore, page + 1, 4096, probe_room(10)), -EINVAL);
	map = (uint64_t)OK(mmap, 0, 5000UL << 12, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	OK(munmap, map + (4500UL << 12), 4096);
	/* The first 4096 pages are reported before the hole is met. */
	assert_int_equal(CALL(mincore, map, 5000UL << 12, probe_room(5000)), -ENOMEM);
	OK(munmap, map, 5000UL << 12);
	CALL(get_mempolicy, probe_room(4), probe_room(128), 1024, 0, 0);
	CALL(get_mempolicy, probe_room(4), 0, 0, page, 2);
	list = probe_put((uint64_t[2]){page, page + 4096}, 16);
	CALL(move_pages, 0, 2, list, 0, probe_room(8), 0);
	OK_BYTES(40, process_vm_readv, getpid(), local, 1, remote, 1, 0);
	map = (uint64_t)OK(
		mmap, 0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	OK(mprotect, map, 4096, PROT_READ);
	OK(madvise, map, 4096, MADV_DONTNEED);
	OK(msync, map, 4096, MS_ASYNC);
	CALL(mlock, map, 4096);
	CALL(mlock2, map, 4096, 0);
	OK(munlock, map, 4096);
	OK(mprotect, map, 4096, PROT_READ | PROT_WRITE);
	map = (uint64_t)OK(mremap, map, 8192, 16384, MREMAP_MAYMOVE);
	OK(munmap, map, 16384);
	OK(brk, 0);
	CALL(pkey_free, 99);
}
