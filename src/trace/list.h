/* Where recordings live when nobody says: BASE/<program>-<number>, with a link "latest" beside
 * them.  BASE is DH_TRACE_LIST_BASE below the working directory wherever NULL is given. */
#pragma once
#include "base/forward.h"

#define DH_TRACE_LIST_BASE ".deadheat/recordings"

/* Makes a new, empty directory for a recording of program, with the next number.  The caller frees
 * *ret_dir. */
int dh_trace_list_new(const char *base, const char *program, char **ret_dir, struct dh_error *err);

/* Lets "latest" name dir, which may be anywhere. */
int dh_trace_list_set_latest(const char *base, const char *dir, struct dh_error *err);

/* The directory that a person means: NULL or "latest" is the latest, then a directory by path,
 * then a name in BASE.  -ENOENT with words when there is none.  The caller frees *ret_dir. */
int dh_trace_list_resolve(
	const char *base, const char *which, char **ret_dir, struct dh_error *err);
