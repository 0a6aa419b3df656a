/* The calls in a piece of code of a process. */
#pragma once
#include "base/forward.h"

/* Where the calls in [start, end) return to, as read through mem (/proc/PID/mem).  At most max; how
 * many were stored. */
size_t dh_code_calls(int mem, uint64_t start, uint64_t end, uint64_t *ret, size_t max);
