/* Running a seccomp filter by hand: what the kernel would do with a call.
 * Pure.  Filters are untrusted: they came from the memory of a process. */
#pragma once
#include "base/forward.h"

struct seccomp_data;
struct sock_filter;

#define DH_SECCOMP_MAX 4096 /* instructions, as in the kernel */

/* Whether the kernel would take it. */
bool dh_seccomp_valid(const struct sock_filter *code, size_t n);
/* SECCOMP_RET_* with its data; to be asked for a valid one only. */
uint32_t dh_seccomp_run(const struct sock_filter *code, size_t n, const struct seccomp_data *data);
/* Of what two filters say, that which counts. */
uint32_t dh_seccomp_stricter(uint32_t a, uint32_t b);
