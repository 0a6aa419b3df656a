/* Symbols of one process: which function, line and inlined calls an address stands for.
 *
 * A session knows the modules (program and libraries) of one address space and reads their ELF
 * and DWARF through elfutils, separate debug files included.  What is missing degrades: without
 * debug information there is the function's name, without symbols the module and an offset, and
 * outside of all modules the bare address.  Files are not trusted (sym/image.h); their names and
 * symbols are cleaned of control characters.
 *
 * Strings and frames are borrowed from the session and live until dh_sym_free(), also across
 * changes of the map; modules live until the next change.  One thread at a time per session. */
#pragma once
#include <sys/types.h>

#include "base/forward.h"
#include "model/site.h"

struct dh_sym;

/* A piece of a file in the address space. */
struct dh_sym_mapping {
	uint64_t start, end, offset;
	const char *path; /* the name to show */
	const char *file; /* where to read it, when that is elsewhere; NULL: path */
};

struct dh_sym_module {
	const char *path;
	const char *build_id; /* hex, or NULL */
	uint64_t start, end;
	uint64_t bias;    /* address minus link-time address */
	bool has_symbols; /* the file could be read at all */
};

struct dh_sym_function {
	const char *name; /* NULL when only the bounds are known */
	uint64_t start, end;
};

struct dh_sym *dh_sym_new(void);
void dh_sym_free(struct dh_sym *s);

/* The modules that these mappings stand for; modules known before and still there keep what was
 * read of them.  Mappings without a file name of their own are ignored.  0 or -errno. */
int dh_sym_set_mappings(struct dh_sym *s, const struct dh_sym_mapping *m, size_t n);
int dh_sym_set_process(struct dh_sym *s, pid_t pid, struct dh_error *err);

size_t dh_sym_n_modules(const struct dh_sym *s);
const struct dh_sym_module *dh_sym_module(const struct dh_sym *s, size_t i); /* by address */
/* The module that holds addr, or NULL. */
const struct dh_sym_module *dh_sym_module_at(const struct dh_sym *s, uint64_t addr);

/* The frames that one code address stands for, inlined calls first; always at least one.  For a
 * return address ask for the address minus one, which lies in the call. */
struct dh_stack dh_sym_frames(struct dh_sym *s, uint64_t addr);
/* The function around addr, by symbols or by unwind tables.  0 or -ENOENT. */
int dh_sym_function(struct dh_sym *s, uint64_t addr, struct dh_sym_function *ret);
/* The address of a function or variable: "name", or "module:name" where module is the last part
 * of a path.  Global symbols go before local ones, earlier modules before later ones.
 * 0 or -ENOENT; ret_size may be NULL. */
int dh_sym_address(struct dh_sym *s, const char *name, uint64_t *ret, uint64_t *ret_size);
