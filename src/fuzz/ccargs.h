/* The command line of a compiler: what it asks for, and what it becomes so that the result runs
 * under the scheduling runtime.  Works on words alone, except that response files (@FILE) are read.
 *
 * Compiling gets -fsanitize=thread, which makes gcc and clang call out at each memory access;
 * linking gets our runtime in place of the one that the compiler would bring. */
#pragma once
#include "base/forward.h"

enum dh_cc_kind { DH_CC_GCC, DH_CC_CLANG };

/* What the words of a command line ask for. */
struct dh_cc_request {
	bool inputs;         /* there is something to compile or to link */
	bool compiles;       /* some input is source code */
	bool links;          /* no -c, -S, -E, -M, -fsyntax-only */
	bool shared;         /* -shared */
	bool partial;        /* -r */
	bool statically;     /* -static or -static-pie */
	bool nolibs;         /* -nostdlib or -nodefaultlibs */
	bool debug;          /* says itself how much debug information it wants */
	const char *foreign; /* a -fsanitize= that does not go with ours, or NULL; borrowed */
};

/* Where the runtime is. */
struct dh_cc_runtime {
	const char *library;  /* libdeadheat-sched.so */
	const char *dir;      /* its folder */
	const char *stand_in; /* folder in which it is called libtsan.so */
};

/* A growing argv; owns its words. */
struct dh_cc_args {
	char **words; /* ended by NULL once there is one */
	size_t n, cap;
};

void dh_cc_args_release(struct dh_cc_args *a);
void dh_cc_args_add(struct dh_cc_args *a, const char *word);

/* Which family the compiler of that name is, by its name, then by what the name links to. */
enum dh_cc_kind dh_cc_kind_of(const char *path);

/* Reads argv[0..n), without the compiler's own name.  Response files that cannot be read are left
 * to the compiler to complain about.  arena holds what ret borrows. */
void dh_cc_read(char *const *argv, size_t n, struct dh_arena *arena, struct dh_cc_request *ret);

/* Appends the words for the compiler: argv with ours in front.  0, or -EINVAL with words in err
 * when the request cannot be met. */
int dh_cc_build(enum dh_cc_kind kind, const struct dh_cc_request *req,
	const struct dh_cc_runtime *rt, char *const *argv, size_t n, struct dh_cc_args *ret,
	struct dh_error *err);
