/* Compilers, tried by compiling: the thread sanitizer's hooks for fuzz, bitcode for scan. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/fd.h"
#include "doctor/probe.h"

static const char source[] = "int shared;\n"
			     "int main(void)\n"
			     "{\n"
			     "\tshared = 1;\n"
			     "\treturn 0;\n"
			     "}\n";

static int write_source(void)
{
	DH_FD int fd = open("probe.c", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : dh_write_full(fd, source, sizeof(source) - 1);
}

/* Whether a file contains the bytes; big files are not expected here. */
static bool file_contains(const char *path, const char *bytes)
{
	static char content[1 << 20];
	DH_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : dh_read_full(fd, content, sizeof(content));

	return n > 0 && memmem(content, (size_t)n, bytes, strlen(bytes));
}

/* "12.2.0", or "" when it cannot be asked. */
static void version_of(const char *compiler, char *ret, size_t size)
{
	const char *const argv[] = {compiler, "-dumpfullversion", "-dumpversion", NULL};

	if (dh_probe_tool(argv, ret, size) != 0)
		ret[0] = '\0';
	ret[strcspn(ret, "\n")] = '\0';
}

/* Compiles with the thread sanitizer's hooks, looks for them, then links and runs. */
static void tsan_compiler(struct dh_probe_result *ret, const char *cc, const char *package)
{
	const char *const compile[] = {
		cc, "-g", "-fsanitize=thread", "-c", "probe.c", "-o", "probe.o", NULL};
	const char *const link[] = {cc, "-fsanitize=thread", "probe.o", "-o", "probe", NULL};
	const char *const run[] = {"./probe", NULL};
	char output[512], version[64];
	int r = write_source();

	if (r == 0)
		r = dh_probe_tool(compile, output, sizeof(output));
	if (r != 0) {
		dh_probe_tool_failed(ret, cc, r, r < 0 ? strerror(-r) : output);
		return;
	}
	version_of(cc, version, sizeof(version));
	if (!file_contains("probe.o", "__tsan_write4")) {
		dh_probe_says(ret, DH_HEALTH_MISSING, "%s %s puts no hooks in", cc, version);
		dh_probe_mend(ret, "use a compiler that has -fsanitize=thread");
		return;
	}
	r = dh_probe_tool(link, output, sizeof(output));
	if (r == 0)
		r = dh_probe_tool(run, output, sizeof(output));
	if (r == 0) {
		dh_probe_says(
			ret, DH_HEALTH_WORKS, "%s %s, hooks and its own runtime", cc, version);
		return;
	}
	dh_probe_says(
		ret, DH_HEALTH_DEGRADED, "%s %s puts hooks in, but has no runtime", cc, version);
	dh_probe_mend(ret, "as root: apt-get install %s", package);
}

void dh_probe_gcc(struct dh_probe_result *ret)
{
	tsan_compiler(ret, "gcc", "libtsan2 libc6-dev");
}

void dh_probe_clang(struct dh_probe_result *ret)
{
	tsan_compiler(ret, "clang", "libclang-rt-dev libc6-dev");
}

void dh_probe_bitcode(struct dh_probe_result *ret)
{
	const char *const argv[] = {"clang", "-g", "-Xclang", "-disable-llvm-passes", "-emit-llvm",
		"-c", "probe.c", "-o", "probe.bc", NULL};
	char output[512], version[64];
	int r = write_source();

	if (r == 0)
		r = dh_probe_tool(argv, output, sizeof(output));
	if (r != 0) {
		dh_probe_tool_failed(ret, "clang", r, r < 0 ? strerror(-r) : output);
		return;
	}
	version_of("clang", version, sizeof(version));
	if (file_contains("probe.bc", "BC\xc0\xde")) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "clang %s writes bitcode", version);
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "clang %s writes no bitcode", version);
	dh_probe_mend(ret, "as root: apt-get install clang");
}
