/* Between the files of deadheat scan. */
#pragma once
#include <stddef.h>

#include "base/opt.h"

struct dh_error;
struct dh_scan_commands;

/* What the command line names.  Everything is borrowed from it. */
struct dh_scan_input {
	const char *build; /* -p */
	struct dh_opt_list stubs;
	char **words; /* before "--" */
	size_t n;
	char **rest; /* behind it; NULL: there is none */
};

/* What is wrong with the operands, or NULL. */
const char *dh_scan_input_misuse(const struct dh_scan_input *in);
/* The compilations to read, sorted, stubs with them.  Warns of what is not there. */
int dh_scan_input_collect(const struct dh_scan_input *in, const char *dir,
	struct dh_scan_commands *c, struct dh_error *err);
