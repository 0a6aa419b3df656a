/* Building one function of a program, statement by statement: what extraction uses for real code
 * and tests for code by hand.  One function at a time per builder; several builders may be open. */
#pragma once
#include "scan/ir/ir.h"

struct dh_scan_build;

/* A type, field or symbol from its names, for short: dh_scan_named_field(p, "foo", "lock", 8). */
uint32_t dh_scan_named_type(struct dh_scan_program *p, const char *name, uint64_t size);
uint32_t dh_scan_named_field(
	struct dh_scan_program *p, const char *owner, const char *name, uint32_t offset);
uint32_t dh_scan_variable(struct dh_scan_program *p, const char *name); /* its symbol */
uint32_t dh_scan_function_symbol(struct dh_scan_program *p, const char *name);

/* A body for the symbol, with one block, which is the current one. */
struct dh_scan_build *dh_scan_build_new(
	struct dh_scan_program *p, uint32_t symbol, const char *file, uint32_t line);
/* The finished function belongs to the program.  The id of the function; when the symbol has a
 * body already, that one stays and its id is returned.  Frees the builder. */
uint32_t dh_scan_build_end(struct dh_scan_build *b);
/* Frees the builder and what it built. */
void dh_scan_build_cancel(struct dh_scan_build *b);

/* The function being built: flags, unit, result and so on may be set there; counts are right,
 * pointers are not yet. */
struct dh_scan_function *dh_scan_build_function(struct dh_scan_build *b);

uint32_t dh_scan_build_param(struct dh_scan_build *b, const char *name, uint32_t type);
uint32_t dh_scan_build_local(
	struct dh_scan_build *b, const char *name, uint32_t type, uint32_t flags);
struct dh_scan_local *dh_scan_build_local_at(struct dh_scan_build *b, uint32_t local);

/* A new, empty block; it does not become the current one. */
uint32_t dh_scan_build_block(struct dh_scan_build *b);
/* What follows goes to this block.  A block is filled in one go, before the next is begun. */
void dh_scan_build_select(struct dh_scan_build *b, uint32_t block);
/* The place in the source of what follows; file NULL: the function's. */
void dh_scan_build_at(struct dh_scan_build *b, uint32_t line, uint32_t column, const char *file);

/* Each returns the number of the new statement. */
uint32_t dh_scan_build_access(
	struct dh_scan_build *b, enum dh_scan_op op, uint32_t addr, uint32_t value, uint32_t size);
uint32_t dh_scan_build_assign(struct dh_scan_build *b, uint32_t addr, uint32_t value);
uint32_t dh_scan_build_call(
	struct dh_scan_build *b, uint32_t callee, const uint32_t *args, size_t n);
uint32_t dh_scan_build_return(struct dh_scan_build *b, uint32_t value);
uint32_t dh_scan_build_branch(
	struct dh_scan_build *b, uint32_t condition, uint32_t yes, uint32_t no);
uint32_t dh_scan_build_switch(struct dh_scan_build *b, uint32_t value);
/* Edges of the current block that have no statement of their own. */
void dh_scan_build_edge(
	struct dh_scan_build *b, enum dh_scan_edge_kind kind, uint32_t to, uint32_t value);
void dh_scan_build_jump(struct dh_scan_build *b, uint32_t to);

/* The statement, until the next one is built: for flags and orders. */
struct dh_scan_stmt *dh_scan_build_stmt(struct dh_scan_build *b, uint32_t stmt);
