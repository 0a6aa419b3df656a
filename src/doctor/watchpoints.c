/* Hardware breakpoints on data, by the two ways there are: a tracer sets them in its tracee, or a
 * program sets them for itself through perf. */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <unistd.h>

#include "doctor/probe.h"
#include "doctor/tracee.h"

/* Debug control: breakpoint 0 on, for this thread, when a write of 8 bytes happens. */
#define DR7_WRITE_8 (1UL | 1UL << 16 | 2UL << 18)

static volatile uint64_t watched;

static int write_watched(void)
{
	watched = 1;
	return 0;
}

static int set_debug_register(pid_t pid, size_t n, unsigned long value)
{
	size_t at = offsetof(struct user, u_debugreg) + n * sizeof(value);

	return ptrace(PTRACE_POKEUSER, pid, at, value) < 0 ? -errno : 0;
}

void dh_probe_watch_ptrace(struct dh_probe_result *ret)
{
	pid_t pid = dh_probe_tracee(write_watched, 0);
	int r = pid;
	long hit = 0;

	if (r > 0)
		r = set_debug_register(pid, 0, (unsigned long)&watched);
	if (r >= 0)
		r = set_debug_register(pid, 7, DR7_WRITE_8);
	if (r >= 0)
		r = dh_probe_step(pid, PTRACE_CONT);
	if (r == SIGTRAP)
		hit = ptrace(PTRACE_PEEKUSER, pid, offsetof(struct user, u_debugreg[6]), 0) & 1;
	if (pid > 0)
		dh_probe_end(pid);
	if (hit) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "a write was caught");
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "%s",
		r < 0 ? strerror(-r) : "set, but the write was not caught");
	dh_probe_mend(ret, "the virtual machine or emulator must pass debug registers through");
}

static volatile sig_atomic_t trapped;

static void on_trap(int sig)
{
	(void)sig;
	trapped = 1;
}

/* Opens a breakpoint on writes for this thread: a descriptor or -errno. */
static int open_breakpoint(bool sigtrap)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uint64_t)(uintptr_t)&watched,
		.bp_len = HW_BREAKPOINT_LEN_8,
		.sample_period = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.sigtrap = sigtrap,
		.remove_on_exec = sigtrap,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

void dh_probe_watch_perf(struct dh_probe_result *ret)
{
	struct sigaction sa = {.sa_handler = on_trap};
	int fd = open_breakpoint(true);
	uint64_t count = 0;

	sigaction(SIGTRAP, &sa, NULL);
	if (fd >= 0) {
		watched = 2;
		if (trapped) {
			dh_probe_says(ret, DH_HEALTH_WORKS, "a write raised a signal at once");
			return;
		}
		close(fd);
	}
	fd = open_breakpoint(false);
	if (fd >= 0) {
		watched = 3;
		if (read(fd, &count, sizeof(count)) == sizeof(count) && count == 1) {
			dh_probe_says(ret, DH_HEALTH_DEGRADED, "writes are counted, no signal");
			dh_probe_mend(ret, "signals at the access need Linux 5.13");
			return;
		}
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "%s",
		fd < 0 ? strerror(-fd) : "set, but the write was not caught");
	dh_probe_mend(ret, "as root: sysctl kernel.perf_event_paranoid=2, or lower; and the "
			   "virtual machine must pass debug registers through");
}
