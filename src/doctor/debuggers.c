/* The debugger, tried by using it, and the debug information of the C library. */
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/probe.h"

void dh_probe_gdb(struct dh_probe_result *ret)
{
	const char *const argv[] = {
		"gdb", "-nx", "-batch", "-ex", "print 40 + 2", "-ex", "show version", NULL};
	char output[2048];
	const char *version;
	int r = dh_probe_tool(argv, output, sizeof(output));

	if (r != 0 || !strstr(output, "= 42")) {
		dh_probe_tool_failed(ret, "gdb", r, r < 0 ? strerror(-r) : output);
		return;
	}
	version = strstr(output, "GNU gdb");
	dh_probe_says(ret, DH_HEALTH_WORKS, "%.*s",
		version ? (int)DH_MIN(strcspn(version, "\n"), (size_t)60) : 3,
		version ? version : "gdb");
}

/* Whether debug information of the module that holds this address can be read. */
static int has_dwarf(const void *address, const char **ret_name)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl_Module *module = NULL;
	Dwarf_Addr bias;
	Dl_info info;
	Dwfl *dwfl;
	int r = -ENOENT;

	if (!dladdr(address, &info) || !info.dli_fname)
		return -ENOENT;
	*ret_name = info.dli_fname;
	dwfl = dwfl_begin(&callbacks);
	if (!dwfl)
		return -ENOMEM;
	module = dwfl_report_offline(dwfl, "libc", info.dli_fname, -1);
	dwfl_report_end(dwfl, NULL, NULL);
	if (module && dwfl_module_getdwarf(module, &bias))
		r = 0;
	dwfl_end(dwfl);
	return r;
}

void dh_probe_symbols(struct dh_probe_result *ret)
{
	const char *name = "libc";

	unsetenv("DEBUGINFOD_URLS"); /* no network from here */
	if (has_dwarf((const void *)(uintptr_t)getpid, &name) == 0) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "the C library's are there too");
		return;
	}
	dh_probe_says(ret, DH_HEALTH_DEGRADED, "none for %s: frames in it have no lines", name);
	dh_probe_mend(ret, "as root: apt-get install libc6-dbg; compile your own program with -g");
}
