/* Watches a build and takes down every compiler that it runs.
 *
 * The build runs under ptrace, which stops processes only when they fork, execute a program or get
 * a signal: each compiler is seen, whichever way it was found and however it is linked, and nothing
 * has to be installed or preloaded.  Where ptrace is forbidden, bear does it when it is installed.
 */
#pragma once
#include "base/forward.h"

struct dh_scan_commands;

/* Runs argv (ended by NULL) to its end, its output on stderr, and adds the compiler calls in it.  0
 * with the wait status of the build in *ret_status, or -errno with words. */
int dh_scan_capture(
	struct dh_scan_commands *c, char *const *argv, int *ret_status, struct dh_error *err);

/* Adds the sources of the command line if it is that of a compiler that compiles. */
void dh_scan_capture_command(struct dh_scan_commands *c, const char *dir, char *const *argv);
