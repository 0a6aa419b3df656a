/* Private to this folder: the inside of a session. */
#pragma once
#include <elfutils/libdwfl.h>

#include "base/arena.h"
#include "base/map.h"
#include "sym/sym.h"

struct dh_sym_var_index;
struct dh_sym_units;

struct dh_sym_entry {
	struct dh_sym_module shown;
	Dwfl_Module *dwfl; /* NULL: nothing can be read of it */
	struct dh_sym_units *units;
	struct dh_sym_var_index *vars; /* built when first asked for */
};

struct dh_sym {
	struct dh_arena arena; /* all strings and frames */
	struct dh_strset names;
	struct dh_map frames; /* address -> struct dh_stack * */
	Dwfl *dwfl;
	bool attached;                /* unwinding is set up */
	struct dh_sym_entry *entries; /* by address */
	size_t n;
	const void *unwind; /* the unwinding in progress (sym/unwind.c) */
};

struct dh_sym_entry *dh_sym_entry_at(const struct dh_sym *s, uint64_t addr);
/* A copy that lives as long as the session, bounded and without control characters.  NULL stays
 * NULL. */
const char *dh_sym_text(struct dh_sym *s, const char *text);
/* The compilation unit that holds addr; *ret_bias is what its addresses lack.  False: none. */
bool dh_sym_unit_at(struct dh_sym_entry *e, uint64_t addr, Dwarf_Die *ret, uint64_t *ret_bias);
/* The ELF symbol that covers addr, or NULL; *ret_start and *ret_size (0: not known) are its own. */
const char *dh_sym_symbol_at(
	struct dh_sym_entry *e, uint64_t addr, bool code, uint64_t *ret_start, uint64_t *ret_size);
/* The function around addr by the unwind tables, which describe every function, also where all
 * symbols are gone. */
bool dh_sym_bounds_at(
	struct dh_sym_entry *e, uint64_t addr, uint64_t *ret_start, uint64_t *ret_size);
void dh_sym_units_free(struct dh_sym_units *u);
void dh_sym_var_index_free(struct dh_sym_var_index *v);
