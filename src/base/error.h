/* Errors with words: what a person needs beside the -errno that a function returns.
 * A struct dh_error lives on the caller's stack; NULL is accepted everywhere. */
#pragma once
#include "base/forward.h"

struct dh_error {
	int code;       /* positive errno, 0 when unset */
	char text[512]; /* one line, no newline, says what to do next where it can */
};

#define DH_ERROR_INIT ((struct dh_error){0})

/* Sets the error and returns -code, so that "return dh_error_set(err, EINVAL, ...)" reads well. */
int dh_error_set(struct dh_error *err, int code, const char *fmt, ...) DH_PRINTF(3, 4);

/* Puts "prefix: " before the text that is already there; sets it to strerror(-ret) if unset.
 * Returns ret. */
int dh_error_prefix(struct dh_error *err, int ret, const char *fmt, ...) DH_PRINTF(3, 4);

/* The text, or the description of the code, never NULL. */
const char *dh_error_text(const struct dh_error *err, int ret);
