/* From the command line of a build, gcc's mostly, to the arguments with which clang reads the same
 * source: what decides about the meaning of the source stays, what only gcc knows is translated or
 * dropped, and what is about warnings, optimisation and output is dropped. */
#pragma once
#include "base/forward.h"

struct dh_scan_command;

/* Arguments, ended by NULL, without compiler, source and output; version: that of clang.
 * The caller frees them with dh_scan_flags_free().  *ret_lost, unless it is NULL: the first file of
 * further arguments that cannot be read, for the caller to free; untouched when there is none. */
char **dh_scan_flags(const struct dh_scan_command *c, int version, char **ret_lost);
void dh_scan_flags_free(char **flags);
