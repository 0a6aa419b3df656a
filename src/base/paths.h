/* Where the parts of an installation are, seen from the running program: it works from the build
 * tree and from wherever it was installed, with nothing to set. */
#pragma once
#include "base/forward.h"

/* The shared library of the runtime of that name, for "sched": libdeadheat-sched.so.  0, or
 * -ENOENT with the places that were looked at in err. */
int dh_runtime_path(const char *name, char *ret, size_t size, struct dh_error *err);
/* The same for another file that the runtime in folder dir brings. */
int dh_runtime_file(
	const char *dir, const char *file, char *ret, size_t size, struct dh_error *err);
/* A program that deadheat runs for its own work: beside it in a build, with the runtimes in an
 * installation. */
int dh_helper_path(const char *name, char *ret, size_t size, struct dh_error *err);
