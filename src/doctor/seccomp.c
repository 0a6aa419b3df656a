/* System call filters that stop a tracee at the calls that matter, and only there. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "doctor/probe.h"
#include "doctor/tracee.h"

/* A filter that hands getppid to the tracer and lets all else pass. */
static int filter_then_call(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {.len = DH_ARRAY_SIZE(code), .filter = code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return errno;
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) < 0)
		return errno;
	return syscall(SYS_getppid) < 0;
}

void dh_probe_seccomp(struct dh_probe_result *ret)
{
	pid_t pid = dh_probe_tracee(filter_then_call, PTRACE_O_TRACESECCOMP);
	int r = pid < 0 ? pid : dh_probe_step(pid, PTRACE_CONT);

	if (pid > 0)
		dh_probe_end(pid);
	if (r == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "a filter stops the calls that it should");
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "no filter could be installed and seen%s%s",
		r < 0 ? ": " : "", r < 0 ? strerror(-r) : "");
	dh_probe_mend(ret, "needs CONFIG_SECCOMP_FILTER and a sandbox that allows it");
}
