#include "doctor/tracee.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor/probe.h"

pid_t dh_probe_tracee(int (*body)(void), unsigned long options)
{
	pid_t pid = dh_probe_fork();
	int status;

	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0) < 0)
			_exit(errno);
		raise(SIGSTOP);
		_exit(body());
	}
	if (pid < 0)
		return pid;
	status = dh_probe_wait(pid);
	if (status < 0)
		return status;
	if (WIFEXITED(status))
		return WEXITSTATUS(status) ? -WEXITSTATUS(status) : -ECHILD;
	options |= PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD;
	if (ptrace(PTRACE_SETOPTIONS, pid, 0, options) < 0) {
		int saved = errno;

		dh_probe_end(pid);
		return -saved;
	}
	return pid;
}

int dh_probe_step(pid_t pid, int request)
{
	int status;

	if (ptrace((enum __ptrace_request)request, pid, 0, 0) < 0)
		return -errno;
	status = dh_probe_wait(pid);
	if (status < 0)
		return status;
	return WIFSTOPPED(status) ? status >> 8 : 0;
}

void dh_probe_end(pid_t pid)
{
	kill(pid, SIGKILL);
	dh_probe_wait(pid);
}
