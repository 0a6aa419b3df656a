/* The program under test: what kind of file it is, and how the runtime gets into it. */
#pragma once
#include <limits.h>

#include "base/forward.h"

enum dh_program_build {
	DH_PROGRAM_OURS,   /* linked to the runtime by deadheat cc */
	DH_PROGRAM_GCC,    /* built with gcc -fsanitize=thread: the runtime stands in for libtsan */
	DH_PROGRAM_CLANG,  /* has clang's runtime inside: cannot be replaced */
	DH_PROGRAM_PLAIN,  /* not instrumented */
	DH_PROGRAM_STATIC, /* loads no library at all */
	DH_PROGRAM_SCRIPT, /* starts something else, which is looked at when it comes */
};

struct dh_program {
	char path[PATH_MAX];
	enum dh_program_build build;
	char library[PATH_MAX];  /* the runtime */
	char stand_in[PATH_MAX]; /* folder in which it is called libtsan.so.2 */
};

/* Looks for file as execvp would, and at what it is.  -ENOENT, -EACCES, -ENOEXEC (another kind of
 * machine, or no program) with words in err. */
int dh_program_look(const char *file, struct dh_program *ret, struct dh_error *err);
/* 0 when it can be scheduled at all statements; -ENOTSUP with words that say how to build it. */
int dh_program_check(const struct dh_program *p, struct dh_error *err);
/* 0 when it can be scheduled as it is, by its synchronisation and by breakpoints; else -ENOTSUP. */
int dh_program_check_binary(const struct dh_program *p, struct dh_error *err);
