/* How one source file is compiled: from a build database, from the command line, or from a build
 * that was watched.  Lists own their strings. */
#pragma once
#include "base/forward.h"

struct dh_scan_command {
	char *dir;    /* where the compiler ran */
	char *file;   /* the source, absolute or from dir */
	char **argv;  /* the compiler and its arguments, ended by NULL */
	size_t order; /* of two for one source the first counts */
	bool stub;    /* comes first: its functions stand for those of the same name elsewhere */
};

struct dh_scan_commands {
	struct dh_scan_command *items;
	size_t n, cap;
	size_t missing;      /* sources that are not there */
	size_t repeated;     /* further commands for a source that has one */
	char *first_missing; /* one of them, for the message; NULL: none */
};

void dh_scan_commands_release(struct dh_scan_commands *c);

/* Takes a command over unless its source is missing, is none for clang, or has a command already.
 * argv is copied. */
void dh_scan_commands_add(
	struct dh_scan_commands *c, const char *dir, const char *file, char *const *argv);
/* Sorts by file, so that the order of the database does not matter. */
void dh_scan_commands_sort(struct dh_scan_commands *c);

/* Adds what the JSON compilation database at path says; a folder stands for the
 * compile_commands.json in it.  0, or -errno with words. */
int dh_scan_commands_load(struct dh_scan_commands *c, const char *path, struct dh_error *err);
/* The same from text in memory; name is for messages. */
int dh_scan_commands_parse(struct dh_scan_commands *c, const char *text, size_t size,
	const char *name, struct dh_error *err);

/* Splits a command line as a shell would, without expanding anything.  An array ended by NULL that
 * is one allocation; NULL when a quote is left open. */
char **dh_scan_split(const char *line);

/* Whether the name is that of C or C++ source. */
bool dh_scan_is_source(const char *name);
