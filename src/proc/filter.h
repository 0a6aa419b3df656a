/* The seccomp filter that recorder and replayer put on the program: calls that the table of
 * system calls lets run by themselves pass, all others stop. */
#pragma once
#include "base/forward.h"

#include <linux/filter.h>

#define DH_FILTER_MAX 1024

/* stops: one byte per system call number, non-zero for those that stop; numbers above stop too.
 * The count of instructions. */
int dh_filter_build(const uint8_t *stops, int n_stops, struct sock_filter ret[DH_FILTER_MAX]);

/* In the child, before exec: installs it, without privileges if need be.  0 or -errno. */
int dh_filter_install(const struct sock_filter *filter, int n);
