/* Whether a crash leaves a core file where it can be found. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "doctor/probe.h"

/* Whether a core file is in the working folder. */
static bool core_file_here(void)
{
	DIR *dir = opendir(".");
	bool any = false;

	for (struct dirent *e; dir && (e = readdir(dir));)
		any = any || strstr(e->d_name, "core");
	if (dir)
		closedir(dir);
	return any;
}

static int dump_core(void)
{
	struct rlimit limit;
	pid_t pid = dh_probe_fork();

	if (pid == 0) {
		getrlimit(RLIMIT_CORE, &limit);
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_CORE, &limit);
		signal(SIGABRT, SIG_DFL);
		abort();
	}
	return pid < 0 ? pid : dh_probe_wait(pid);
}

void dh_probe_core(struct dh_probe_result *ret)
{
	char pattern[128] = "";
	DH_FD int fd = open("/proc/sys/kernel/core_pattern", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : dh_read_full(fd, pattern, sizeof(pattern) - 1);
	int status = dump_core();

	pattern[n < 0 ? 0 : n] = '\0';
	pattern[strcspn(pattern, "\n")] = '\0';
	if (core_file_here()) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "a crash leaves a core file (pattern '%.60s')",
			pattern);
		return;
	}
	if (status >= 0 && WCOREDUMP(status)) {
		dh_probe_says(ret, DH_HEALTH_DEGRADED, "cores go elsewhere: '%.80s'", pattern);
		dh_probe_mend(
			ret, "to have them beside the program: sysctl kernel.core_pattern=core");
		return;
	}
	dh_probe_says(
		ret, DH_HEALTH_MISSING, "a crash leaves no core file (pattern '%.60s')", pattern);
	dh_probe_mend(ret, "ulimit -c unlimited; as root: sysctl kernel.core_pattern=core");
}
