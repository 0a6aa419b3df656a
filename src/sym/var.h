/* Which variable a data address belongs to, down to the member and the element.
 * Covers what has a fixed address: globals, statics of files and functions.  Not the heap, the
 * stack or thread-local storage. */
#pragma once
#include "base/forward.h"

struct dh_sym;

struct dh_sym_variable {
	const char *name;     /* "table[3].next"; "table+0x18" where types are not known */
	const char *type;     /* of that part; NULL: not known */
	uint64_t start, size; /* of that part */
	const char *object;   /* the variable as a whole: "table" */
	uint64_t object_start, object_size;
	const char *function; /* that declares it, or NULL */
	const char *file;     /* where it is declared, or NULL */
	uint32_t line;
	const char *module;
};

/* 0 or -ENOENT.  The first question about a module reads all of its debug information. */
int dh_sym_variable(struct dh_sym *s, uint64_t addr, struct dh_sym_variable *ret);
