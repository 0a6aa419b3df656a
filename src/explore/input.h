/* Standard input of explored executions: read once, kept with the recording, given to every one. */
#pragma once
#include "base/buf.h"

/* What our own standard input has, unless it is a terminal or stays silent; *ret_path names a file
 * that has the same while this process lives, or is NULL when there is none. */
int dh_input_take(struct dh_buf *ret, char **ret_path, struct dh_error *err);
/* Stores it in DIR/explore/input. */
int dh_input_keep(const char *recording, const struct dh_buf *input, struct dh_error *err);
/* Path of that, or NULL when the recording has none; the caller frees. */
char *dh_input_of(const char *recording);
