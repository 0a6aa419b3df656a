/* The user's own check of a run: a shell command. */
#pragma once
#include "base/forward.h"

/* Runs command with what the run wrote on standard input, its status in $DEADHEAT_STATUS, and its
 * standard error as descriptor 3.  0: the run is good; 1: it is not; -errno: the check itself could
 * not be run or did not end.  What the check says goes to ret, cut to one line. */
int dh_check_run(const char *command, int status, int out_fd, int err_fd, char *ret, size_t size);
