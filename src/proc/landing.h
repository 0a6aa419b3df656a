/* Puts the landing area (wire/landing.h) into a process that has just executed a new image. */
#pragma once
#include "base/forward.h"

struct dh_tracee;

/* The thread is stopped where its program would begin; it is there again afterwards. */
int dh_landing_map(struct dh_tracee *t);
