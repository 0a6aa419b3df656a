/* Who calls whom: direct calls are resolved by name when units are joined; here calls through
 * pointers get their possible targets, from every assignment, initialiser and argument that puts a
 * function where the call takes it from: a struct member, a variable, an array, a parameter
 * (through wrappers).  A pointer about which nothing was seen may be any function of its type whose
 * address is taken.
 *
 * The tables are made once for a finished program, which they borrow; it must not gain functions
 * afterwards. */
#pragma once
#include "scan/ir/ir.h"

struct dh_scan_links;

struct dh_scan_links *dh_scan_link(struct dh_scan_program *p);
void dh_scan_links_free(struct dh_scan_links *l);

/* How sure it is that the call reaches one of its targets and no other. */
enum dh_scan_certainty {
	DH_SCAN_BY_NAME,    /* called by its name */
	DH_SCAN_BY_FLOW,    /* assigned to this member, variable or parameter */
	DH_SCAN_BY_TYPE,    /* only the type fits */
	DH_SCAN_BY_NOTHING, /* no target known */
};

struct dh_scan_targets {
	const uint32_t *symbols; /* sorted */
	uint32_t n;
	enum dh_scan_certainty how;
};

/* What the call statement of the function may call.  Direct calls too. */
struct dh_scan_targets dh_scan_targets(
	const struct dh_scan_links *l, uint32_t function, uint32_t stmt);
/* The functions that the value may be, where it stands in the function: for thread entries, signal
 * handlers and callbacks that are handed over as arguments. */
struct dh_scan_targets dh_scan_functions_of(
	struct dh_scan_links *l, uint32_t function, uint32_t node);

struct dh_scan_caller {
	uint32_t function, stmt;
};

/* The call statements that may reach the symbol; *ret_n of them. */
const struct dh_scan_caller *dh_scan_callers(
	const struct dh_scan_links *l, uint32_t symbol, uint32_t *ret_n);

/* Functions that are ever assigned to the same pointer are of one class; 0: of none. */
uint32_t dh_scan_class(const struct dh_scan_links *l, uint32_t symbol);
