/* Puts the landing area (wire/landing.h) into a process that has just executed a new image. */
#pragma once
#include "base/forward.h"

struct dh_landing_call;
struct dh_tracee;

/* The thread is stopped where its program would begin; it is there again afterwards.  The calls are
 * made there as well, and get their results. */
int dh_landing_map(struct dh_tracee *t, struct dh_landing_call *calls, size_t n);
