/* Namespaces and file system layers: what a sandbox for explored executions is made of. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "doctor/probe.h"

#define MEND_USERNS                                                                                \
	"run as root, or allow it: sysctl kernel.unprivileged_userns_clone=1 "                     \
	"user.max_user_namespaces=10000"

static int write_text(const char *path, const char *text)
{
	DH_FD int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd < 0 ? -errno : dh_write_full(fd, text, strlen(text));
}

/* Becomes root of a user namespace of its own. */
static int enter_user_namespace(void)
{
	char map[64];
	uid_t uid = geteuid();
	gid_t gid = getegid();
	int r;

	if (unshare(CLONE_NEWUSER) < 0)
		return -errno;
	write_text("/proc/self/setgroups", "deny"); /* absent on old kernels */
	snprintf(map, sizeof(map), "0 %u 1", uid);
	r = write_text("/proc/self/uid_map", map);
	snprintf(map, sizeof(map), "0 %u 1", gid);
	if (r == 0)
		r = write_text("/proc/self/gid_map", map);
	if (r == 0 && geteuid() != 0)
		r = -EPERM;
	return r;
}

/* The namespaces named by flags, directly or else inside a user namespace: whether the latter was
 * needed, or -errno. */
static int enter(int flags)
{
	int r;

	if (unshare(flags) == 0)
		return 0;
	r = enter_user_namespace();
	if (r == 0 && unshare(flags) < 0)
		r = -errno;
	return r < 0 ? r : 1;
}

static const char *how(int entered)
{
	return entered ? "in a user namespace" : "directly";
}

void dh_probe_user_namespace(struct dh_probe_result *ret)
{
	int r = enter_user_namespace();

	if (r == 0) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "root inside a namespace of its own");
		return;
	}
	if (r == -ENOENT) {
		dh_probe_says(ret, DH_HEALTH_MISSING, "cannot map users: /proc is not mounted");
		dh_probe_mend(ret, "mount -t proc proc /proc");
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "%s", strerror(-r));
	dh_probe_mend(ret, MEND_USERNS);
}

/* A private view of the file systems with a fresh tmpfs, entered: as enter(), or -errno. */
static int private_tmpfs(void)
{
	static const char *const places[] = {"/tmp", "/var/tmp", "/mnt", "/run", "/dev", "/"};
	int entered = enter(CLONE_NEWNS);

	if (entered < 0)
		return entered;
	/* EINVAL: / is no mount point, as in a plain chroot; what is mounted there could be seen
	 * outside, so we do not. */
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -errno;
	for (size_t i = 0; i < DH_ARRAY_SIZE(places); i++) {
		if (mount("deadheat", places[i], "tmpfs", 0, "size=1m") == 0)
			return chdir(places[i]) < 0 ? -errno : entered;
	}
	return -errno;
}

static void no_private_mounts(struct dh_probe_result *ret, int r)
{
	if (r == -EINVAL) {
		dh_probe_says(ret, DH_HEALTH_MISSING, "/ is not a mount point (a chroot?)");
		dh_probe_mend(ret, "mount --bind DIR DIR before chroot DIR");
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "%s", strerror(-r));
	dh_probe_mend(ret, MEND_USERNS);
}

void dh_probe_mount_namespace(struct dh_probe_result *ret)
{
	int r = private_tmpfs();

	if (r < 0)
		no_private_mounts(ret, r);
	else
		dh_probe_says(ret, DH_HEALTH_WORKS, "private mounts, %s", how(r));
}

void dh_probe_pid_namespace(struct dh_probe_result *ret)
{
	int entered = enter(CLONE_NEWPID), status = -1;
	pid_t pid = entered < 0 ? entered : dh_probe_fork();

	if (pid == 0)
		_exit(getpid() == 1 ? 0 : 1);
	if (pid > 0)
		status = dh_probe_wait(pid);
	if (pid > 0 && status == 0) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "process 1 of its own, %s", how(entered));
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "%s",
		pid < 0 ? strerror(-pid) : "the child is not process 1");
	dh_probe_mend(ret, MEND_USERNS);
}

/* As process 1 of a namespace: makes a child with the number that it asks for. */
static int choose_pid(void)
{
	pid_t want = 4242, pid;
	struct clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = (uint64_t)(uintptr_t)&want,
		.set_tid_size = 1,
	};

	pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return errno;
	dh_probe_wait(pid);
	return pid == want ? 0 : EINVAL;
}

void dh_probe_set_pid(struct dh_probe_result *ret)
{
	int entered = enter(CLONE_NEWPID), status;
	pid_t pid = entered < 0 ? entered : dh_probe_fork();

	if (pid == 0)
		_exit(choose_pid());
	status = pid < 0 ? pid : dh_probe_wait(pid);
	if (status == 0) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "a new process gets the number asked for, %s",
			how(entered));
		return;
	}
	if (status > 0)
		status = WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
	dh_probe_says(ret, DH_HEALTH_MISSING, "%s", strerror(-status));
	dh_probe_mend(ret, "needs Linux 5.5, and root or user namespaces (see above)");
}

/* Overlays lower with a layer on the private tmpfs, and writes through it. */
static int try_overlay(const char *lower, bool userxattr)
{
	char options[256];
	int r;

	snprintf(options, sizeof(options), "lowerdir=%s,upperdir=up,workdir=work%s", lower,
		userxattr ? ",userxattr" : "");
	if (mount("overlay", "merged", "overlay", 0, options) < 0)
		return -errno;
	r = mkdir("merged/deadheat-doctor", 0700) < 0 ? -errno : 0;
	umount2("merged", MNT_DETACH);
	return r;
}

void dh_probe_overlay(struct dh_probe_result *ret)
{
	static const char *const folders[] = {"low", "up", "work", "merged"};
	int entered = private_tmpfs(), single;

	if (entered < 0) {
		no_private_mounts(ret, entered);
		return;
	}
	for (size_t i = 0; i < DH_ARRAY_SIZE(folders); i++)
		mkdir(folders[i], 0700);
	if (try_overlay("/", entered > 0) == 0) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "over the whole file system, %s", how(entered));
		return;
	}
	single = try_overlay("low", entered > 0);
	if (single == 0) {
		dh_probe_says(ret, DH_HEALTH_DEGRADED, "over single folders, %s", how(entered));
		dh_probe_mend(ret, "run as root to snapshot the whole file system");
	} else {
		dh_probe_says(ret, DH_HEALTH_MISSING, "%s", strerror(-single));
		dh_probe_mend(ret, "needs CONFIG_OVERLAY_FS (as root: modprobe overlay)");
	}
}
