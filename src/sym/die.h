/* Private to this folder: what debug information says about one entry, as text and numbers.
 * All walks are bounded: the information may be damaged, and refer to itself. */
#pragma once
#include <elfutils/libdw.h>

#include "base/forward.h"

struct dh_sym;

#define DH_DIE_MAX_DEPTH 32

/* With the names of the namespaces and classes around it; NULL when it has none. */
const char *dh_die_name(struct dh_sym *s, Dwarf_Die *die);
/* True and *ret set when the attribute is there as a number. */
bool dh_die_number(Dwarf_Die *die, unsigned attribute, Dwarf_Word *ret);
/* Moves on to the next entry of the same parent.  False at the end, and when that would lead back:
 * damaged information may run in circles. */
bool dh_die_next(Dwarf_Die *die);
/* The file that an attribute (DW_AT_call_file, DW_AT_decl_file) stands for, or NULL.  Borrowed from
 * the library. */
const char *dh_die_file(Dwarf_Die *die, unsigned attribute);
/* What DW_AT_type refers to, without typedefs and qualifiers when peel is set. */
bool dh_die_type(Dwarf_Die *die, bool peel, Dwarf_Die *ret);
/* "const char *", "struct node [4]", ...; "void" for none. */
const char *dh_die_type_name(struct dh_sym *s, Dwarf_Die *die);
