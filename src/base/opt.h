/* Command-line options as a table: parsing, --help and "did you mean" come from the same rows.
 * Options end at "--" or at the first operand. */
#pragma once
#include "base/forward.h"

enum dh_opt_type {
	DH_OPT_FLAG,   /* bool *: set to true */
	DH_OPT_STRING, /* const char **: borrowed from argv */
	DH_OPT_LIST,   /* struct dh_opt_list *: each use adds one */
	DH_OPT_UINT,   /* uint64_t *: suffixes k, M, G (1024) */
	DH_OPT_TIME,   /* double *: seconds; suffixes ms, s, m, h */
	DH_OPT_CHOICE, /* int *: index into choices */
	DH_OPT_GROUP,  /* a heading in --help: only help is used */
};

struct dh_opt {
	enum dh_opt_type type;
	char letter; /* 0: none */
	const char *name;
	const char *arg; /* shown in help; NULL for flags */
	const char *help;
	void *value;
	const char *const *choices; /* NULL-terminated, for DH_OPT_CHOICE */
};

struct dh_opt_list {
	const char **items;
	size_t n, cap;
};

struct dh_cmd {
	const char *name;
	const char *usage;   /* "[options] -- PROGRAM [ARG]..." */
	const char *summary; /* one line */
	const char *details; /* further paragraphs for --help, or NULL */
};

/* Parses argv[1..argc).  Returns the index of the first operand ("--" is skipped), or -EINVAL with
 * a one-line explanation in err (nearest valid spelling included), or -ECANCELED when --help was
 * given (help is printed to stdout already). opts ends with a row whose help is NULL. */
int dh_opt_parse(const struct dh_cmd *cmd, const struct dh_opt *opts, int argc, char **argv,
	struct dh_error *err);

void dh_opt_print_help(const struct dh_cmd *cmd, const struct dh_opt *opts);

/* The candidate nearest to word, or NULL when none is near.  candidates ends with NULL. */
const char *dh_opt_nearest(const char *word, const char *const *candidates);
