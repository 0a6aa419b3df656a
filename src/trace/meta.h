/* What a recording says about itself: the command, the tool and the machine, in meta.json.
 * All strings are owned by the struct.  Arguments that are not UTF-8 survive (as hex). */
#pragma once
#include "base/forward.h"

/* What a replay depends on.  Nothing here names the machine or its owner. */
struct dh_trace_machine {
	char *kernel; /* release */
	char *cpu_vendor, *cpu_model;
	char *cpu_features; /* what programs can use, separated by spaces */
	uint64_t cpu_id;    /* hash of all that the CPU says about itself to a program */
	uint32_t xstate_size;
	uint32_t page_size;
};

enum dh_trace_flag {
	DH_TRACE_RING = 1 << 0,     /* older segments may have been deleted */
	DH_TRACE_CHAOS = 1 << 1,    /* recorded with random scheduling */
	DH_TRACE_STATE = 1 << 2,    /* calls that set a thread's own state have stopped too */
	DH_TRACE_UNSYNCED = 1 << 3, /* nobody waits for the disk: the machine may lose some of it */
};

struct dh_trace_meta {
	uint32_t format;    /* set by reading; writing stores DH_TRACE_FORMAT */
	char *tool_version; /* NULL when writing: this tool's */
	uint64_t recording; /* random id, also in every block; chosen by the writer */
	char **argv;        /* ends with NULL */
	char *cwd;
	uint32_t n_env;
	int64_t time_ns; /* when the recording began, since the epoch; 0 when writing: now */
	int32_t root_pid;
	uint32_t cpu; /* the processor that it ran on: some of what cpuid says is its own */
	uint32_t flags;
	uint64_t max_size;
	struct dh_trace_machine machine;
};

/* Zeroed is a valid empty value. */
void dh_trace_meta_release(struct dh_trace_meta *m);

/* Kernel and page size of this machine are looked up, the CPU is described by the caller (copied).
 * m is overwritten, not released. */
void dh_trace_machine_init(struct dh_trace_machine *m, const char *cpu_vendor,
	const char *cpu_model, const char *cpu_features, uint64_t cpu_id, uint32_t xstate_size);
void dh_trace_machine_release(struct dh_trace_machine *m);

/* Writes dir/meta.json atomically. */
int dh_trace_meta_write(const char *dir, const struct dh_trace_meta *m, struct dh_error *err);
/* 0; -ENOENT: dir has no recording; -EPROTO: another format (err names both); -EBADMSG: damaged. */
int dh_trace_meta_read(const char *dir, struct dh_trace_meta *ret, struct dh_error *err);

enum dh_trace_machine_match {
	DH_TRACE_MACHINE_SAME,
	DH_TRACE_MACHINE_SIMILAR, /* differs in ways that most programs do not see */
	DH_TRACE_MACHINE_OTHER,   /* a program would take other paths: cannot replay */
};

/* Compares where a recording was made with where it is to be replayed; appends one line for each
 * difference to why ("CPU features: recorded with avx512f, this machine lacks it"). */
enum dh_trace_machine_match dh_trace_meta_compare_machine(const struct dh_trace_machine *recorded,
	const struct dh_trace_machine *here, struct dh_buf *why);
