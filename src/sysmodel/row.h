/* The inside of the system call table: what a row is, for the files of this folder.
 *
 * A row lists the types of its arguments (for printing, and for strings, which are inputs) and
 * its memory: each entry names an emitter, the argument that is the pointer, and what the length
 * depends on.  Calls that multiplex (fcntl, prctl, ioctl, futex) have a list of requests, each
 * with its own class, flags and memory.  Everything here is constant and may be used by any
 * thread. */
#pragma once
#include "sysmodel/sysmodel.h"

struct dh_sys_emit;
struct dh_sys_mem;

typedef void dh_sys_emit_fn(struct dh_sys_emit *e, const struct dh_sys_mem *m);

enum dh_sys_dir {
	DH_SYS_IN = 1,
	DH_SYS_OUT = 2,
	DH_SYS_INOUT = 3,
};

/* When an output is written. */
enum dh_sys_when {
	DH_SYS_ON_SUCCESS,
	DH_SYS_ON_POSITIVE,
	DH_SYS_ON_INTERRUPT, /* -EINTR or one of the restart codes */
	DH_SYS_ON_DONE,      /* success or interruption */
	DH_SYS_ALWAYS,
};

#define DH_SYS_NO_ARG 7

struct dh_sys_mem {
	dh_sys_emit_fn *emit;
	uint8_t dir;
	uint8_t when;
	uint8_t arg;     /* the pointer */
	uint8_t len_arg; /* count or length, or a pointer to it; DH_SYS_NO_ARG when there is none */
	uint32_t size;   /* bytes, or bytes of one element */
};

#define DH_SYS_MEMS 4

/* One request of a call that multiplexes. */
struct dh_sys_request {
	uint64_t value;
	const char *name;
	int8_t class; /* enum dh_sys_class, or DH_SYS_INHERIT */
	uint8_t flags;
	uint8_t refusal; /* errno, 0 for ENOSYS */
	bool pretend;    /* say that it worked, except with any of the bits in the next argument */
	uint8_t pretend_not;
	bool by_value; /* the argument after the request is a number, whatever the encoding says */
	struct dh_sys_mem mem[3];
};

#define DH_SYS_INHERIT (-1)

enum dh_sys_unknown {
	DH_SYS_UNKNOWN_PLAIN, /* a request that is not listed has no memory */
	DH_SYS_UNKNOWN_ASK,   /* one that is not listed and succeeds may write anywhere */
};

struct dh_sys_requests {
	uint8_t arg;    /* which argument is the request, an int */
	uint8_t shift;  /* bits below it that are something else */
	uint8_t prefix; /* 1 + an argument that stands above it, in bits 32.. (a socket's level) */
	uint32_t mask;  /* of the shifted value */
	enum dh_sys_unknown unknown;
	const struct dh_sys_request *rows;
	size_t n;
	/* For numbers that encode direction and size; NULL otherwise. */
	dh_sys_emit_fn *decode;
};

/* How a call says that it does not want to wait. */
enum dh_sys_nowait {
	DH_SYS_NOWAIT_NEVER,
	DH_SYS_NOWAIT_ZERO, /* the argument is 0 */
	DH_SYS_NOWAIT_FLAG, /* the argument has this bit */
	DH_SYS_NOWAIT_TIME, /* the argument points to a time of 0 */
};

struct dh_sys_wait {
	uint8_t how;
	uint8_t arg;
	uint32_t bit;
};

struct dh_sys_row {
	struct dh_sys_desc desc;
	uint8_t args[6]; /* enum dh_sys_arg */
	uint8_t refusal;
	bool address;        /* the result is one */
	uint8_t sigmask_arg; /* 1 + the argument that is a mask; its size follows it */
	struct dh_sys_wait wait;
	struct dh_sys_mem mem[DH_SYS_MEMS];
	const struct dh_sys_requests *requests;
};

/* Types of arguments: how they are printed.  A_STR is also an input. */
enum dh_sys_arg {
	A_NONE,
	A_INT,
	A_UINT,
	A_LONG,
	A_SIZE,
	A_HEX,
	A_PTR,
	A_MODE, /* octal */
	A_ID,   /* user or group, -1 for none */
	A_FD,
	A_DIRFD,
	A_STR,
	A_STRV,
	A_BUF, /* bytes that the row's memory bounds */
	A_IOV, /* the count follows */
	A_MSG,
	A_SADDR,     /* the length follows */
	A_SADDR_OUT, /* a pointer to the length follows */
	A_TIMESPEC,
	A_TIMEVAL,
	A_ITIMER, /* two timevals or timespecs: interval and value */
	A_POLLFD, /* the count follows */
	A_SIGSET,
	A_SIGACTION,
	A_EPOLL_EVENT,
	A_FDS, /* int[2] */
	A_INTP,
	A_STATUS,
	A_RLIMIT_P,
	A_CLONE_ARGS,
	A_OPEN_HOW,
	A_SIG,
	A_DEV,
	A_REQUEST, /* the name of the request */
	A_IOCTL_ARG,
	A_FCNTL_ARG,
	A_LEVEL_OPTION,
	A_FIRST_NAMES, /* from here on: numbers and flags with names, see names.c */
	A_OPEN = A_FIRST_NAMES,
	A_PROT,
	A_MAP,
	A_CLONE,
	A_ACCESS,
	A_AT,
	A_MSGF,
	A_AF,
	A_SOCKTYPE,
	A_LEVEL,
	A_SOCKOPT,
	A_WHENCE,
	A_RLIMIT,
	A_WAITF,
	A_IDTYPE,
	A_EPOLL_OP,
	A_SHUT,
	A_FLOCK,
	A_MREMAP,
	A_MSYNC,
	A_ITIMER_WHICH,
	A_SIGHOW,
	A_EVENTFD,
	A_CLOEXEC,
	A_SIGNALFD,
	A_TIMERFD,
	A_TIMERF,
	A_RANDOM,
	A_MLOCKALL,
	A_SCHED,
	A_RENAME,
	A_UMOUNT,
	A_MOUNT,
	A_XATTR,
	A_SPLICE,
	A_FALLOC,
	A_FADVISE,
	A_INOTIFY,
	A_STATX,
	A_MEMFD,
	A_RUSAGE,
	A_PRIO,
	A_IPC,
	A_CLOCK,
	A_RWF,
	A_UNSHARE,
	A_PKEY,
	A_CLOSE_RANGE,
	A_MEMBARRIER,
	A_PERSONALITY,
	A_MPOL,
	A_FUTEX2,
	A_N_TYPES,
};

/* NULL when the number has no row. */
const struct dh_sys_row *dh_sys_row(int64_t nr);
/* NULL when the call has no requests or this one is not listed. */
const struct dh_sys_request *dh_sys_request(
	const struct dh_sys_row *row, const struct dh_sys_call *c);

extern const struct dh_sys_requests dh_sys_ioctl, dh_sys_fcntl, dh_sys_prctl, dh_sys_arch_prctl,
	dh_sys_futex, dh_sys_madvise, dh_sys_seccomp, dh_sys_syslog, dh_sys_semctl, dh_sys_shmctl,
	dh_sys_msgctl, dh_sys_keyctl, dh_sys_quotactl, dh_sys_quotactl_fd, dh_sys_sysfs,
	dh_sys_getsockopt, dh_sys_setsockopt, dh_sys_landlock_create;

/* One request: its constant (which is also its name), class or INHERIT, and designated members.
 * DH_REQ_NAMED is for numbers that the system's headers may not have. */
#define DH_REQ(v, cls, ...) DH_REQ_NAMED(v, #v, cls, __VA_ARGS__)
#define DH_REQ_NAMED(v, s, cls, ...)                                                               \
	{                                                                                          \
		.value = (v), .name = (s), .class = DH_SYS_##cls, __VA_ARGS__                      \
	}
#define MEM(...)           .mem = {__VA_ARGS__}
#define REQUEST_LIST(list) .rows = (list), .n = DH_ARRAY_SIZE(list)
#define NOARG              DH_SYS_NO_ARG

/* One entry of a row's memory; short because the table has some hundreds of them. */
#define DH_MEM(fn, d, w, a, l, s)                                                                  \
	{                                                                                          \
		.emit = dh_emit_##fn, .dir = DH_SYS_##d, .when = DH_SYS_##w, .arg = (a),           \
		.len_arg = (l), .size = (s)                                                        \
	}
#define IN(a, size)               DH_MEM(fixed, IN, ON_SUCCESS, a, DH_SYS_NO_ARG, size)
#define IN_N(a, n, size)          DH_MEM(count, IN, ON_SUCCESS, a, n, size)
#define IN_IOV(a, n)              DH_MEM(iov, IN, ON_SUCCESS, a, n, 0)
#define IN_STR(a)                 DH_MEM(string, IN, ON_SUCCESS, a, DH_SYS_NO_ARG, 0)
#define OUT(a, size)              DH_MEM(fixed, OUT, ON_SUCCESS, a, DH_SYS_NO_ARG, size)
#define OUT_POS(a, size)          DH_MEM(fixed, OUT, ON_POSITIVE, a, DH_SYS_NO_ARG, size)
#define OUT_INTR(a, size)         DH_MEM(fixed, OUT, ON_INTERRUPT, a, DH_SYS_NO_ARG, size)
#define OUT_ANY(a, size)          DH_MEM(fixed, OUT, ALWAYS, a, DH_SYS_NO_ARG, size)
#define OUT_N(a, n, size)         DH_MEM(count, OUT, ON_SUCCESS, a, n, size)
#define OUT_N_DONE(a, n, size)    DH_MEM(count, OUT, ON_DONE, a, n, size)
#define OUT_RET(a, bound)         DH_MEM(result_bytes, OUT, ON_SUCCESS, a, bound, 1)
#define OUT_RET_N(a, bound, size) DH_MEM(result_bytes, OUT, ON_SUCCESS, a, bound, size)
#define OUT_IOV(a, n)             DH_MEM(iov, OUT, ON_SUCCESS, a, n, 0)
#define INOUT(a, size)            DH_MEM(fixed, INOUT, ON_SUCCESS, a, DH_SYS_NO_ARG, size)
#define INOUT_ANY(a, size)        DH_MEM(fixed, INOUT, ALWAYS, a, DH_SYS_NO_ARG, size)
#define SPECIAL(fn, d, w, a, l)   DH_MEM(fn, d, w, a, l, 0)
