/* Pieces of code of a process: the calls in them, and the instructions that access memory. */
#pragma once
#include "base/forward.h"

/* Where the calls in [start, end) return to, as read through mem (/proc/PID/mem).  At most max; how
 * many were stored. */
size_t dh_code_calls(int mem, uint64_t start, uint64_t end, uint64_t *ret, size_t max);

/* An instruction that accesses base + index * scale + disp; registers as debug information numbers
 * them, -1: none. */
struct dh_code_access {
	uint64_t next; /* address behind it */
	uint8_t length;
	bool writes, atomic;
	int8_t base, index;
	uint8_t scale;
	uint32_t size;
	int64_t disp;
};

/* Those that begin in [start, end), without the stack's own (push, call) and thread-local ones.  At
 * most max; how many were stored. */
size_t dh_code_accesses(
	int mem, uint64_t start, uint64_t end, struct dh_code_access *ret, size_t max);
