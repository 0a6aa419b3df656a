/* What programs expect in /proc, /sys, /dev and /run, with nothing in it that reaches outside. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fd.h"
#include "sandbox/internal.h"

/* As the kernel has it; older C libraries do not know it. */
struct attributes {
	uint64_t set, clear, propagation, userns;
};
#define READ_ONLY 1

bool dh_sandbox_is_special(const char *name)
{
	static const char *const names[] = {"proc", "sys", "dev", "run"};

	for (size_t i = 0; i < DH_ARRAY_SIZE(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

int dh_sandbox_touch(const char *path)
{
	DH_FD int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	return fd < 0 ? -errno : 0;
}

int dh_sandbox_bind_readonly(const char *from, const char *to)
{
	struct attributes attr = {.set = READ_ONLY};

	if (mount(from, to, NULL, MS_BIND | MS_REC, NULL) < 0)
		return -errno;
	if (syscall(SYS_mount_setattr, AT_FDCWD, to, AT_RECURSIVE, &attr, sizeof(attr)) < 0)
		return -errno;
	return 0;
}

/* A process that is root outside too could set the machine's own switches through these. */
static void protect_proc(const char *root)
{
	static const char *const names[] = {"sys", "sysrq-trigger", "irq", "bus", "fs", "acpi",
		"mtrr", "timer_list", "scsi", "latency_stats"};
	char path[4200];

	for (size_t i = 0; i < DH_ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "%s/proc/%s", root, names[i]);
		if (access(path, F_OK) == 0)
			dh_sandbox_bind_readonly(path, path);
	}
}

static int mount_proc(struct dh_sandbox_build *b, const char *root)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s/proc", root);
	mkdir(path, 0555);
	if (mount("proc", path, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
		return dh_error_set(b->err, errno,
			"the sandbox cannot have a /proc of its own (%s); where parts of /proc are "
			"hidden, as in many containers, run outside of it",
			strerror(errno));
	snprintf(path, sizeof(path), "%s/proc/sys/kernel/ns_last_pid", root);
	b->inside.last_pid_fd = open(path, O_RDWR | O_CLOEXEC);
	protect_proc(root);
	return 0;
}

static void bind_device(const char *root, const char *name)
{
	char from[64], to[4200];

	snprintf(from, sizeof(from), "/dev/%s", name);
	snprintf(to, sizeof(to), "%s/dev/%s", root, name);
	if (access(from, F_OK) == 0 && dh_sandbox_touch(to) == 0)
		mount(from, to, NULL, MS_BIND, NULL);
}

static void mount_at(const char *root, const char *where, const char *type, const char *options)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s/%s", root, where);
	mkdir(path, 0755);
	mount(type, path, type, MS_NOSUID | MS_NOEXEC, options);
}

static int mount_dev(struct dh_sandbox_build *b, const char *root)
{
	static const char *const devices[] = {"null", "zero", "full", "random", "urandom", "tty"};
	static const char *const links[][2] = {{"/proc/self/fd", "fd"},
		{"/proc/self/fd/0", "stdin"}, {"/proc/self/fd/1", "stdout"},
		{"/proc/self/fd/2", "stderr"}, {"pts/ptmx", "ptmx"}};
	char path[4200];

	snprintf(path, sizeof(path), "%s/dev", root);
	mkdir(path, 0755);
	if (mount("tmpfs", path, "tmpfs", MS_NOSUID, "mode=755,size=64k") < 0)
		return dh_error_set(b->err, errno, "no /dev for the sandbox: %s", strerror(errno));
	for (size_t i = 0; i < DH_ARRAY_SIZE(devices); i++)
		bind_device(root, devices[i]);
	for (size_t i = 0; i < DH_ARRAY_SIZE(links); i++) {
		snprintf(path, sizeof(path), "%s/dev/%s", root, links[i][1]);
		if (symlink(links[i][0], path) < 0)
			return -errno;
	}
	mount_at(root, "dev/pts", "devpts", "newinstance,ptmxmode=0666,mode=620");
	mount_at(root, "dev/shm", "tmpfs", "mode=1777");
	mount_at(root, "dev/mqueue", "mqueue", NULL);
	return 0;
}

/* The directories of /run without what is in them: there lie the sockets of services outside. */
static void mount_run(const char *root)
{
	char path[4200], from[512];
	struct dirent *e;
	struct stat st;
	DIR *d;

	mount_at(root, "run", "tmpfs", "mode=755");
	d = opendir("/run");
	while (d && (e = readdir(d))) {
		snprintf(from, sizeof(from), "/run/%s", e->d_name);
		if (e->d_name[0] == '.' || lstat(from, &st) < 0 || !S_ISDIR(st.st_mode))
			continue;
		snprintf(path, sizeof(path), "%s%s", root, from);
		if (mkdir(path, st.st_mode & 07777) == 0 && chmod(path, st.st_mode & 07777) == 0 &&
			chown(path, st.st_uid, st.st_gid) < 0)
			continue; /* stays ours */
	}
	if (d)
		closedir(d);
}

int dh_sandbox_mount_special(struct dh_sandbox_build *b, const char *root)
{
	char path[4200];
	int r = mount_proc(b, root);

	if (r == 0)
		r = mount_dev(b, root);
	if (r < 0)
		return r;
	mount_run(root);
	snprintf(path, sizeof(path), "%s/sys", root);
	mkdir(path, 0555);
	if (access("/sys", F_OK) == 0)
		dh_sandbox_bind_readonly("/sys", path);
	return 0;
}
