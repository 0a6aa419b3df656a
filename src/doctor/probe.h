/* Probes: each tries one thing that Deadheat may need of this machine, in a child process of its
 * own that has a time limit, so that a probe can crash or hang without harm.  Nothing here prints.
 * One thread only. */
#pragma once
#include "base/forward.h"

#include <sys/types.h>

enum dh_health { DH_HEALTH_WORKS, DH_HEALTH_DEGRADED, DH_HEALTH_MISSING };

struct dh_probe_result {
	enum dh_health health;
	char detail[160]; /* what was seen */
	char mend[240];   /* what to do about it; "" when nothing is to be done */
	double seconds;
};

struct dh_probe {
	const char *id; /* stable, for scripts */
	const char *title;
	const char *commands; /* that it touches, separated by spaces */
	bool basic;           /* recording and replaying need it */
	unsigned limit_ms;    /* 0: DH_PROBE_LIMIT_MS */
	/* Runs in the child, in a scratch folder that is removed afterwards; writes only *ret,
	 * which says "missing" at the start. */
	void (*run)(struct dh_probe_result *ret);
};

#define DH_PROBE_LIMIT_MS 5000u
#define DH_PROBE_SLOW_MS  30000u /* compilers and debuggers, cold */

/* All of them, in the order in which a person should read them; *ret_n is their number. */
const struct dh_probe *dh_probes(size_t *ret_n);
const char *dh_health_name(enum dh_health h);
/* Always fills *ret: a probe that died or took too long is "missing", and detail says so. */
void dh_probe_run(const struct dh_probe *p, struct dh_probe_result *ret);

/* For the probes themselves. */
void dh_probe_says(struct dh_probe_result *r, enum dh_health h, const char *fmt, ...)
	DH_PRINTF(3, 4);
void dh_probe_mend(struct dh_probe_result *r, const char *fmt, ...) DH_PRINTF(2, 3);
/* fork() whose child dies with its parent. */
pid_t dh_probe_fork(void);
/* Waits for the process: its wait status, or -errno. */
int dh_probe_wait(pid_t pid);
/* Runs a program without input; what it prints (both streams) goes into ret as one string, cut at
 * size.  The exit status, 128 + the signal that ended it, or -errno when it cannot be run. */
int dh_probe_tool(const char *const *argv, char *ret, size_t size);
/* Says that the tool is not there (r is -ENOENT), or the first line of what it printed. */
void dh_probe_tool_failed(struct dh_probe_result *ret, const char *tool, int r, const char *output);
/* The number in a file such as those below /proc/sys, or -errno. */
long dh_probe_read_number(const char *path);

/* One function for each row of the table. */
void dh_probe_ptrace(struct dh_probe_result *ret);
void dh_probe_memory(struct dh_probe_result *ret);
void dh_probe_seccomp(struct dh_probe_result *ret);
void dh_probe_aslr(struct dh_probe_result *ret);
void dh_probe_vector_state(struct dh_probe_result *ret);
void dh_probe_tsc(struct dh_probe_result *ret);
void dh_probe_cpuid(struct dh_probe_result *ret);
void dh_probe_user_namespace(struct dh_probe_result *ret);
void dh_probe_mount_namespace(struct dh_probe_result *ret);
void dh_probe_pid_namespace(struct dh_probe_result *ret);
void dh_probe_set_pid(struct dh_probe_result *ret);
void dh_probe_overlay(struct dh_probe_result *ret);
void dh_probe_watch_ptrace(struct dh_probe_result *ret);
void dh_probe_watch_perf(struct dh_probe_result *ret);
void dh_probe_perf_access(struct dh_probe_result *ret);
void dh_probe_pmu(struct dh_probe_result *ret);
void dh_probe_precise(struct dh_probe_result *ret);
void dh_probe_bpf(struct dh_probe_result *ret);
void dh_probe_written_pages(struct dh_probe_result *ret);
void dh_probe_soft_dirty(struct dh_probe_result *ret);
void dh_probe_core(struct dh_probe_result *ret);
void dh_probe_gcc(struct dh_probe_result *ret);
void dh_probe_clang(struct dh_probe_result *ret);
void dh_probe_bitcode(struct dh_probe_result *ret);
void dh_probe_gdb(struct dh_probe_result *ret);
void dh_probe_symbols(struct dh_probe_result *ret);
