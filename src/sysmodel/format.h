/* Printing of arguments: the context that the printers of this folder share. */
#pragma once
#include "sysmodel/names.h"

struct dh_sys_print {
	const struct dh_sys_call *c;
	const struct dh_sys_row *row;
	struct dh_buf *out;
	bool done;   /* the call has returned, successfully: what it wrote may be shown */
	bool failed; /* it has returned, with an error */
};

typedef void dh_sys_print_fn(struct dh_sys_print *p, int arg);

/* How much of memory is shown. */
#define DH_PRINT_BYTES    64
#define DH_PRINT_ELEMENTS 8

bool dh_print_read(struct dh_sys_print *p, uint64_t addr, void *to, size_t n);
void dh_print_pointer(struct dh_sys_print *p, uint64_t addr);
/* Quoted and escaped; "..." behind it when `len` is more than what is shown. */
void dh_print_bytes(struct dh_sys_print *p, uint64_t addr, uint64_t len);
void dh_print_string(struct dh_sys_print *p, uint64_t addr);
/* Reads a structure of argument `arg`, or prints the pointer and says false: when it cannot be
 * read, and when the call fills it and has not done so. */
bool dh_print_fetch(struct dh_sys_print *p, int arg, void *to, size_t n);
void dh_print_signal(struct dh_sys_print *p, int sig);
void dh_print_sigset(struct dh_sys_print *p, uint64_t set);
void dh_print_sockaddr_at(struct dh_sys_print *p, uint64_t addr, uint64_t len);
void dh_print_iovecs(struct dh_sys_print *p, uint64_t iov, uint64_t count, uint64_t total);

/* Structures (format_structs.c). */
dh_sys_print_fn dh_print_iov, dh_print_msg, dh_print_sockaddr, dh_print_sockaddr_out,
	dh_print_timespec, dh_print_timeval, dh_print_itimer, dh_print_pollfd, dh_print_sigset_arg,
	dh_print_sigaction, dh_print_epoll_event, dh_print_fds, dh_print_intp, dh_print_status,
	dh_print_rlimit, dh_print_clone_args, dh_print_open_how;
