/* Which capabilities there are, in the order in which they are shown.  A command stands beside a
 * capability when its code uses it; none does so yet where the list is empty. */
#include "doctor/probe.h"

#define SLOW DH_PROBE_SLOW_MS

static const struct dh_probe probes[] = {
	{"ptrace", "ptrace", "record replay explore diagnose fuzz sample", true, 0,
		dh_probe_ptrace},
	{"process-memory", "process memory", "record replay explore diagnose", true, 0,
		dh_probe_memory},
	{"seccomp", "seccomp filters", "record replay explore", true, 0, dh_probe_seccomp},
	{"aslr", "address randomisation off", "record replay explore fuzz", true, 0, dh_probe_aslr},
	{"vector-state", "vector registers", "record replay", true, 0, dh_probe_vector_state},
	{"tsc", "rdtsc trapping", "record replay", false, 0, dh_probe_tsc},
	{"cpuid", "cpuid trapping", "record replay", false, 0, dh_probe_cpuid},
	{"written-pages", "written pages (scan)", "", false, 0, dh_probe_written_pages},
	{"soft-dirty", "written pages (soft-dirty)", "", false, 0, dh_probe_soft_dirty},
	{"watch-ptrace", "hardware breakpoints", "record replay diagnose", false, 0,
		dh_probe_watch_ptrace},
	{"watch-perf", "hardware breakpoints (perf)", "sample", false, 0, dh_probe_watch_perf},
	{"user-namespace", "user namespaces", "explore", false, 0, dh_probe_user_namespace},
	{"mount-namespace", "mount namespaces", "explore", false, 0, dh_probe_mount_namespace},
	{"pid-namespace", "process namespaces", "explore", false, 0, dh_probe_pid_namespace},
	{"set-pid", "choosing process ids", "explore", false, 0, dh_probe_set_pid},
	{"overlay", "overlay file systems", "explore", false, 0, dh_probe_overlay},
	{"perf", "performance events", "sample", false, 0, dh_probe_perf_access},
	{"pmu", "processor's counters", "sample", false, 0, dh_probe_pmu},
	{"precise-sampling", "precise sampling", "sample", false, 0, dh_probe_precise},
	{"bpf", "eBPF", "", false, 0, dh_probe_bpf},
	{"core", "core files", "fuzz explore diagnose", false, 0, dh_probe_core},
	{"gcc", "gcc, thread hooks", "fuzz cc", false, SLOW, dh_probe_gcc},
	{"clang", "clang, thread hooks", "fuzz cc", false, SLOW, dh_probe_clang},
	{"llvm", "clang/LLVM bitcode", "scan", false, SLOW, dh_probe_bitcode},
	{"gdb", "gdb", "replay", false, SLOW, dh_probe_gdb},
	{"debug-symbols", "debug symbols", "replay report diagnose sample", false, SLOW,
		dh_probe_symbols},
};

const struct dh_probe *dh_probes(size_t *ret_n)
{
	*ret_n = DH_ARRAY_SIZE(probes);
	return probes;
}
