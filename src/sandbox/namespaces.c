/* The namespaces of a sandbox: their creation, users and groups, loopback. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "sandbox/internal.h"

#define SPACES   (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS)
#define MAPS_MAX 65536

pid_t dh_sandbox_fork(bool *ret_userns, struct dh_error *err)
{
	long pid = syscall(SYS_clone, SPACES | CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
	int e = errno;

	*ret_userns = true;
	if (pid >= 0)
		return (pid_t)pid;
	if (geteuid() == 0) {
		*ret_userns = false;
		pid = syscall(SYS_clone, SPACES | SIGCHLD, 0, 0, 0, 0);
		if (pid >= 0)
			return (pid_t)pid;
		e = errno;
	}
	return dh_error_set(err, e,
		"no namespaces for a sandbox here (%s); run as root, or allow them: sysctl "
		"kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000; "
		"'deadheat doctor' says more",
		strerror(e));
}

static int write_text(pid_t pid, const char *name, const char *text)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	DH_FD int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd < 0 ? -errno : dh_write_full(fd, text, strlen(text));
}

/* Every id that exists here exists inside under the same number. */
static int map_all(pid_t pid, const char *name)
{
	DH_BUF struct dh_buf own = DH_BUF_INIT, text = DH_BUF_INIT;
	char path[64];
	int r;

	snprintf(path, sizeof(path), "/proc/self/%s", name);
	r = dh_read_file(path, MAPS_MAX, &own, NULL);
	if (r < 0)
		return r;
	for (const char *line = dh_buf_str(&own); line && *line; line = strchr(line, '\n')) {
		uint64_t first, outer, count;

		line += *line == '\n';
		if (sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64, &first, &outer, &count) == 3)
			dh_buf_addf(&text, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", first, first,
				count);
	}
	return write_text(pid, name, dh_buf_str(&text));
}

static int map_one(pid_t pid, const char *name, unsigned id)
{
	char text[64];

	snprintf(text, sizeof(text), "%u %u 1\n", id, id);
	return write_text(pid, name, text);
}

int dh_sandbox_map_ids(pid_t pid, struct dh_error *err)
{
	int r = -EPERM;

	if (geteuid() == 0) {
		r = map_all(pid, "uid_map");
		if (r == 0)
			r = map_all(pid, "gid_map");
	}
	if (r < 0) {
		write_text(pid, "setgroups", "deny"); /* absent on old kernels */
		r = map_one(pid, "uid_map", geteuid());
		if (r == 0)
			r = map_one(pid, "gid_map", getegid());
	}
	if (r < 0)
		return dh_error_set(err, -r,
			"cannot name users in the sandbox (%s); run as root, or see 'deadheat "
			"doctor'",
			strerror(-r));
	return 0;
}

void dh_sandbox_loopback_up(void)
{
	DH_FD int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq ifr = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};

	if (fd >= 0)
		ioctl(fd, SIOCSIFFLAGS, &ifr);
}

/* Mounts made here must stay, and without a user namespace root would be root of the machine.  The
 * bounding set is enough: what is executed gets no more than that. */
void dh_sandbox_confine(const struct dh_sandbox_inside *inside)
{
	static const int machine[] = {CAP_SYS_MODULE, CAP_SYS_RAWIO, CAP_SYS_BOOT, CAP_SYS_TIME,
		CAP_SYSLOG, CAP_MKNOD, CAP_SYS_PTRACE, CAP_MAC_ADMIN, CAP_MAC_OVERRIDE,
		CAP_AUDIT_CONTROL, CAP_SYS_NICE, CAP_SYS_RESOURCE, CAP_WAKE_ALARM,
		CAP_BLOCK_SUSPEND, CAP_LINUX_IMMUTABLE, CAP_SYS_PACCT, CAP_SYS_TTY_CONFIG,
		CAP_PERFMON, CAP_BPF, CAP_DAC_READ_SEARCH};

	prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN);
	for (size_t i = 0; !inside->userns && i < DH_ARRAY_SIZE(machine); i++)
		prctl(PR_CAPBSET_DROP, machine[i]);
}
