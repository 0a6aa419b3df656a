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
	DH_SYS_REFUSE,  /* executed in neither: answered with dh_sysmodel_refusal() */
};

enum dh_sys_flag {
	DH_SYS_BLOCKS = 1 << 0, /* may wait for something outside this thread, without a bound */
	DH_SYS_FD_NEW = 1 << 1, /* a result >= 0 is a new descriptor */
	DH_SYS_FD_ARG = 1 << 2, /* argument 0 is a descriptor */
	DH_SYS_WRITES =
		1 << 3, /* sends bytes of the process to a descriptor: data for replay's echo */
	/* Class and flags depend on arguments: desc->class is one that stops, desc->flags are all
	 * that the call may have. */
	DH_SYS_VARIES = 1 << 4,
	DH_SYS_SIGMASK = 1 << 5, /* an argument is a signal mask for the time of the call */
};

#define DH_SYS_MAX_NR 470 /* the highest number that may have a row */

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

/* NULL for a number that the table does not know.  A filter that stops calls is built from
 * this: every number 0..DH_SYS_MAX_NR whose class is not DH_SYS_RERUN stops. */
const struct dh_sys_desc *dh_sysmodel_find(int64_t nr);
bool dh_sysmodel_unknown(int64_t nr);
int64_t dh_sysmodel_number(const char *name); /* or -1 */

/* True for calls that every traced process stops at, whatever their arguments. */
bool dh_sysmodel_always_stops(int64_t nr);
/* The same as a table. */
void dh_sysmodel_stops(uint8_t ret[DH_SYS_MAX_NR + 1]);
/* True for calls that set what only the thread itself can ask for (signal actions, the alternate
 * stack): who takes checkpoints of a process from outside must see them pass. */
bool dh_sysmodel_sets_state(int64_t nr);

/* The class of this very call: some depend on arguments (madvise with MADV_FREE, prctl, fcntl).
 * DH_SYS_REFUSE for a number that the table does not know. */
enum dh_sys_class dh_sysmodel_class(const struct dh_sys_call *c);

/* The flags of this very call: fcntl(F_DUPFD) makes a descriptor, poll with a timeout of 0 does
 * not block.  Reads memory only for timeouts. */
unsigned dh_sysmodel_flags(const struct dh_sys_call *c);

/* The errno that a refused call is answered with: what a kernel without the feature, or without
 * the privilege, would say, so that programs take the path that they have for it.  0 where
 * programs have no such path: the call is not made, and whoever records acts in its place (a
 * seccomp filter of the program, which would hide calls from the recorder). */
int dh_sysmodel_refusal(const struct dh_sys_call *c);

/* The mask that replaces the thread's while the call waits (rt_sigsuspend, ppoll, ...): 1 and
 * *ret set, 0 when the call has none, or -EFAULT. */
int dh_sysmodel_sigmask(const struct dh_sys_call *c, uint64_t *ret);

/* The memory that the kernel may have written, by the call with c->result (which may be one of
 * the kernel's own -ERESTART codes, 512 and up, as a tracer sees them); ranges with len 0 are
 * left out.  To be asked when the call has returned and before the thread goes on: lengths that
 * the kernel stores are read then.  A range may be larger than what was written, never smaller.
 * After -EFAULT, and where a bound is generous, ranges are cut at the first unreadable page.
 * The count (at most max), or -E2BIG, -EFAULT, or -ENOTSUP for a request (ioctl, sockopt, prctl)
 * that the table does not know: the caller must then refuse or be conservative.
 * restart_syscall is -ENOTSUP: put in the number of the call that it goes on with. */
int dh_sysmodel_outputs(const struct dh_sys_call *c, struct dh_sys_range *ret, int max);

/* The memory that the kernel reads as data (write buffers, iovecs' contents, paths, structs);
 * same rules.  With DH_SYS_WRITES the bytes that are sent come first, in their order, so that
 * the first c->result bytes of the ranges are what went out. */
int dh_sysmodel_inputs(const struct dh_sys_call *c, struct dh_sys_range *ret, int max);

/* A checksum of that memory, never 0; 0 when there is none, or the table does not know. */
uint32_t dh_sysmodel_digest(const struct dh_sys_call *c);

/* "openat(AT_FDCWD, "x", O_RDONLY) = 3" for people; memory that cannot be read shows as 0x... */
void dh_sysmodel_format(const struct dh_sys_call *c, bool with_result, struct dh_buf *out);

/* Names for people: "SIGALRM", "ENOENT". NULL when not known. */
const char *dh_sysmodel_signal_name(int sig);
const char *dh_sysmodel_errno_name(int err);
