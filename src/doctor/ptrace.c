/* Tracing, another process's memory and its vector registers: what recording and replaying stand
 * on. */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor/probe.h"
#include "doctor/tracee.h"

#define YAMA "/proc/sys/kernel/yama/ptrace_scope"

static int call_getppid(void)
{
	return syscall(SYS_getppid) < 0;
}

/* Sees the entry and the exit of one system call, and one single step. */
static int trace_a_child(void)
{
	pid_t pid = dh_probe_tracee(call_getppid, 0);
	int r = pid;

	for (int i = 0; i < 2 && r >= 0; i++) {
		r = dh_probe_step(pid, PTRACE_SYSCALL);
		if (r >= 0 && r != (SIGTRAP | 0x80))
			r = -ENOSYS;
	}
	if (r >= 0)
		r = dh_probe_step(pid, PTRACE_SINGLESTEP);
	if (r >= 0 && r != SIGTRAP)
		r = -ENOSYS;
	if (pid > 0)
		dh_probe_end(pid);
	return r < 0 ? r : 0;
}

/* Whether one child may attach to another: what attaching to a running service needs. */
static int trace_a_stranger(void)
{
	pid_t target = dh_probe_fork();
	pid_t tracer;
	int status;

	if (target == 0) {
		pause();
		_exit(0);
	}
	if (target < 0)
		return target;
	tracer = dh_probe_fork();
	if (tracer == 0)
		_exit(ptrace(PTRACE_SEIZE, target, 0, 0) < 0 ? errno : 0);
	status = tracer < 0 ? tracer : dh_probe_wait(tracer);
	dh_probe_end(target);
	if (status < 0)
		return status;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
}

void dh_probe_ptrace(struct dh_probe_result *ret)
{
	int r = trace_a_child();

	if (r < 0) {
		dh_probe_says(ret, DH_HEALTH_MISSING, "a child cannot be traced: %s", strerror(-r));
		if (dh_probe_read_number(YAMA) == 3)
			dh_probe_mend(ret, "kernel.yama.ptrace_scope is 3: set it to 1 and reboot");
		else
			dh_probe_mend(ret, "not inside another tracer, nor a sandbox that forbids "
					   "ptrace (docker: --cap-add=SYS_PTRACE)");
		return;
	}
	r = trace_a_stranger();
	if (r == 0) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "children and running processes can be traced");
		return;
	}
	dh_probe_says(
		ret, DH_HEALTH_DEGRADED, "children only, running processes not: %s", strerror(-r));
	dh_probe_mend(ret, "to attach to running programs: sysctl kernel.yama.ptrace_scope=0");
}

static volatile uint64_t word = 0x6465616468656174;

static int do_nothing(void)
{
	return 0;
}

void dh_probe_memory(struct dh_probe_result *ret)
{
	uint64_t got = 0, new = 42;
	struct iovec here = {.iov_base = &got, .iov_len = sizeof(got)};
	struct iovec there = {.iov_base = (void *)&word, .iov_len = sizeof(word)};
	pid_t pid = dh_probe_tracee(do_nothing, 0);
	ssize_t r = pid;

	if (pid > 0) {
		r = process_vm_readv(pid, &here, 1, &there, 1, 0) == sizeof(got) ? 0 : -errno;
		if (r == 0 && got != word)
			r = -EIO;
		here.iov_base = &new;
		if (r == 0 && process_vm_writev(pid, &here, 1, &there, 1, 0) != sizeof(new))
			r = -errno;
		if (r == 0 && ptrace(PTRACE_PEEKDATA, pid, &word, 0) != (long)new)
			r = -EIO;
		dh_probe_end(pid);
	}
	if (r == 0) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "read and written in whole blocks");
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "process_vm_readv/writev: %s", strerror((int)-r));
	dh_probe_mend(ret, "needs CONFIG_CROSS_MEMORY_ATTACH and a sandbox that allows it");
}

void dh_probe_vector_state(struct dh_probe_result *ret)
{
	static char area[65536];
	struct iovec iov = {.iov_base = area, .iov_len = sizeof(area)};
	pid_t pid = dh_probe_tracee(do_nothing, 0);
	int r = pid < 0 ? pid : 0;

	if (r == 0 && ptrace(PTRACE_GETREGSET, pid, NT_X86_XSTATE, &iov) < 0)
		r = -errno;
	if (r == 0 && ptrace(PTRACE_SETREGSET, pid, NT_X86_XSTATE, &iov) < 0)
		r = -errno;
	if (pid > 0)
		dh_probe_end(pid);
	if (r == 0) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "%zu bytes, %s", iov.iov_len,
			__builtin_cpu_supports("avx512f") ? "with AVX-512"
							  : "no AVX-512 on this processor");
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "cannot be read and set: %s", strerror(-r));
	dh_probe_mend(ret, "needs a processor and a kernel with XSAVE");
}
