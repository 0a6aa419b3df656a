/* The system calls: one row each, saying how a recorder and a replayer treat it, which memory
 * the kernel reads and writes, and how to print it.  Pure: memory is reached through a callback,
 * so that the same table serves a live tracee, a recording and a unit test. */
#pragma once
#include "base/forward.h"

enum dh_sys_class {
	DH_SYS_RECORD, /* result and outputs are recorded; a replay does not execute the call */
	DH_SYS_RERUN,  /* deterministic for the process: runs natively in both, never stops */
	DH_SYS_MEMORY, /* changes the address space: executed again, its result checked or forced */
	DH_SYS_PROCESS, /* creates, replaces or ends a task */
	DH_SYS_SIGNAL,  /* changes or waits for signals in a way that the recorder must know */
	DH_SYS_REFUSE,  /* answered with ENOSYS in both (cannot be recorded; programs fall back) */
};

enum dh_sys_flag {
	DH_SYS_BLOCKS = 1 << 0, /* may wait for something outside this thread, without a bound */
	DH_SYS_FD_NEW = 1 << 1, /* a result >= 0 is a new descriptor */
	DH_SYS_FD_ARG = 1 << 2, /* argument 0 is a descriptor */
	DH_SYS_WRITES =
		1 << 3, /* sends bytes of the process to a descriptor: data for replay's echo */
};

struct dh_sys_range {
	uint64_t addr;
	uint64_t len;
};

/* Reads n bytes of the process's memory; 0 or -errno. */
typedef int dh_sys_read_fn(void *cookie, uint64_t addr, void *p, size_t n);

struct dh_sys_call {
	int64_t nr;
	uint64_t arg[6];
	int64_t result; /* valid for outputs only */
	dh_sys_read_fn *read;
	void *cookie;
};

struct dh_sys_desc {
	const char *name;
	enum dh_sys_class class;
	unsigned flags;
	int n_args;
};

/* NULL for a number that the table does not know. */
const struct dh_sys_desc *dh_sysmodel_find(int64_t nr);
int64_t dh_sysmodel_number(const char *name); /* or -1 */

/* The class of this very call: some depend on arguments (madvise with MADV_FREE, prctl, fcntl). */
enum dh_sys_class dh_sysmodel_class(const struct dh_sys_call *c);

/* The memory that the kernel wrote, after the call with c->result; ranges with len 0 are left
 * out.  The count (at most max), or -E2BIG, -EFAULT, or -ENOTSUP for a request (ioctl, sockopt,
 * prctl) that the table does not know: the caller must then refuse or be conservative. */
int dh_sysmodel_outputs(const struct dh_sys_call *c, struct dh_sys_range *ret, int max);

/* The memory that the kernel read as data (write buffers, iovecs' contents, paths); same rules. */
int dh_sysmodel_inputs(const struct dh_sys_call *c, struct dh_sys_range *ret, int max);

/* "openat(AT_FDCWD, "x", O_RDONLY) = 3" for people; memory that cannot be read shows as 0x... */
void dh_sysmodel_format(const struct dh_sys_call *c, bool with_result, struct dh_buf *out);

/* Names for people: "SIGALRM", "ENOENT". NULL when not known. */
const char *dh_sysmodel_signal_name(int sig);
const char *dh_sysmodel_errno_name(int err);
