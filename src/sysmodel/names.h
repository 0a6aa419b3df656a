/* Names of numbers and of flags, for printing.  All tables are constant. */
#pragma once
#include "sysmodel/row.h"

/* A value whose bits under `mask` are `value` has this name. */
struct dh_sys_name {
	uint64_t value, mask;
	const char *name;
};

struct dh_sys_names {
	const struct dh_sys_name *rows;
	size_t n;
};

#define DH_NAMES(list)                                                                             \
	{                                                                                          \
		.rows = (list), .n = DH_ARRAY_SIZE(list)                                           \
	}

/* The names of a type of arguments, A_FIRST_NAMES and up; n is 0 for a type that has none. */
const struct dh_sys_names *dh_sys_names_of(enum dh_sys_arg type);

extern const struct dh_sys_names dh_names_poll, dh_names_epoll, dh_names_sigaction,
	dh_names_tcp_options, dh_names_fd_flags, dh_names_seals, dh_names_ioctl_dir;

/* "O_RDWR|O_CREAT", with what has no name in hexadecimal; "0" for nothing. */
void dh_names_add(const struct dh_sys_names *names, uint64_t value, struct dh_buf *out);
