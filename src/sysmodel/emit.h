/* Emitters: each turns one memory entry of a row into ranges, for the call at hand.
 * They stop at the first error, which stays in the context.  Every count and every length is
 * untrusted: it came from the registers or the memory of the process. */
#pragma once
#include "sysmodel/row.h"

struct dh_sys_emit {
	const struct dh_sys_call *c;
	const struct dh_sys_row *row;
	struct dh_sys_range *ranges;
	int n, max;
	bool out;     /* outputs are wanted, not inputs */
	bool failed;  /* the call failed: pointers may be wild, so cut at unreadable pages */
	bool faulted; /* it met bad memory, maybe midway: take everything that it could write */
	int err;      /* 0 or -errno, the first one */
};

/* The limits of the kernel itself. */
#define DH_SYS_MAX_RW    0x7ffff000UL /* bytes of one transfer */
#define DH_SYS_MAX_IOV   1024
#define DH_SYS_MAX_PATH  4096
#define DH_SYS_MAX_SADDR 128

/* Adds a range; NULL and empty ones are left out, neighbours are joined. */
void dh_emit_range(struct dh_sys_emit *e, uint64_t addr, uint64_t len);
/* The same, for a length that is only an upper bound: cut at the first unreadable page. */
void dh_emit_bounded(struct dh_sys_emit *e, uint64_t addr, uint64_t len);
/* Reads the process's memory; on failure the context has -EFAULT (unless the call failed). */
bool dh_emit_read(struct dh_sys_emit *e, uint64_t addr, void *p, size_t n);
/* Runs the row's and the request's entries.  0 or -errno. */
int dh_emit_row(struct dh_sys_emit *e);
/* Spreads `total` bytes over an array of iovecs. */
void dh_emit_iovecs(struct dh_sys_emit *e, uint64_t iov, uint64_t count, uint64_t total);
/* The string with its end, at most a path's length. */
void dh_emit_cstring(struct dh_sys_emit *e, uint64_t addr);

/* The argument as the kernel takes it when it is a count or a length. */
uint64_t dh_emit_length(const struct dh_sys_emit *e, int arg);

/* What the kernel transferred: the result, or everything that fits when it failed midway. */
uint64_t dh_emit_result(const struct dh_sys_emit *e, uint64_t bound);

/* Generic (memory.c). */
dh_sys_emit_fn dh_emit_fixed, dh_emit_count, dh_emit_result_bytes, dh_emit_iov, dh_emit_string;
/* With lengths in memory, bit sets and structures (structs.c). */
dh_sys_emit_fn dh_emit_fdset, dh_emit_pages, dh_emit_nodemask, dh_emit_sized_u32, dh_emit_clone,
	dh_emit_clone3, dh_emit_capability, dh_emit_handle, dh_emit_handle_in, dh_emit_mount_id,
	dh_emit_statmount, dh_emit_xattr_args, dh_emit_msgbuf, dh_emit_semarray,
	dh_emit_keyctl_params, dh_emit_auxv, dh_emit_unknown;
/* Sockets (socket.c). */
dh_sys_emit_fn dh_emit_sockaddr, dh_emit_msghdr, dh_emit_mmsghdr;
/* Requests of ioctl whose structures carry lengths (ioctl_structs.c). */
dh_sys_emit_fn dh_emit_ifconf, dh_emit_fiemap, dh_emit_dedupe, dh_emit_fsmap, dh_emit_verity,
	dh_emit_ethtool, dh_emit_ifreq_hwtstamp, dh_emit_policy_ex;
