/* Whether a program can be started at the same addresses each time. */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/fd.h"
#include "doctor/probe.h"
#include "doctor/tracee.h"
#include "isa/regs.h"

static char self_path[512];

static int exec_without_aslr(void)
{
	char *const argv[] = {self_path, NULL}, *const env[] = {NULL};

	if (personality(ADDR_NO_RANDOMIZE) < 0)
		return errno;
	execve(self_path, argv, env);
	return errno;
}

/* The stack pointer right behind an exec with fixed addresses; the program does not get to run. */
static int stack_after_exec(uint64_t *ret)
{
	struct dh_regs regs;
	struct iovec iov = {.iov_base = &regs, .iov_len = sizeof(regs)};
	pid_t pid = dh_probe_tracee(exec_without_aslr, PTRACE_O_TRACEEXEC);
	int r = pid < 0 ? pid : dh_probe_step(pid, PTRACE_CONT);

	if (r >= 0 && r != (SIGTRAP | PTRACE_EVENT_EXEC << 8))
		r = -ENOEXEC;
	if (r >= 0 && ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &iov) < 0)
		r = -errno;
	if (r >= 0)
		*ret = dh_regs_sp(&regs);
	if (pid > 0)
		dh_probe_end(pid);
	return r < 0 ? r : 0;
}

void dh_probe_aslr(struct dh_probe_result *ret)
{
	uint64_t sp[3] = {0};
	int r = dh_self_path(self_path, sizeof(self_path));

	for (size_t i = 0; i < DH_ARRAY_SIZE(sp) && r == 0; i++)
		r = stack_after_exec(&sp[i]);
	if (r == 0 && sp[0] == sp[1] && sp[1] == sp[2]) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "programs start at the same addresses");
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "addresses cannot be fixed: %s",
		r < 0 ? strerror(-r) : "they still change");
	dh_probe_mend(ret, "allow personality() in the sandbox, or as root: "
			   "sysctl kernel.randomize_va_space=0");
}
