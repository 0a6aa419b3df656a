/* Statements and calls: what each does to a state, whom a call reaches, what a callee is told and
 * what comes back. */
#pragma once
#include "scan/analysis/context.h"

struct dh_scan_rule;

#define DH_SIGNALS_BLOCKED "signals blocked"

/* exec.c */
enum dh_scan_outcome dh_scan_exec(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_item *it, uint32_t stmt);

/* call.c */
enum dh_scan_outcome dh_scan_exec_call(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_item *it, uint32_t stmt);
/* Calls one function with these arguments; *ret_next: whether the item itself goes on. */
enum dh_scan_outcome dh_scan_call_function(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, uint32_t symbol, const uint32_t *args,
	uint32_t n_args);
/* The result of the call is this value; 0: unknown, with a name of its own. */
void dh_scan_set_result(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t value);
/* result.c: the result of a call of the function, as its exit has it, with what is known of it. */
void dh_scan_take_result(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t fn, uint32_t value, struct dh_scan_range range);
/* A name for what the call makes; what it made before becomes old. */
uint32_t dh_scan_make(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, enum dh_sym_kind kind);
/* Functions that a value may be: symbols.  At most max. */
uint32_t dh_scan_functions(struct dh_scan_run *run, struct dh_scan_frame *f, uint32_t value,
	uint32_t node, uint32_t *ret, uint32_t max);

/* abstract.c: what a callee is told, and what comes back.  args: what it is told; 0: nothing. */
/* Whether the callee hears at all of what is in memory. */
bool dh_scan_is_told_cells(struct dh_scan_run *run, uint32_t fn);
void dh_scan_abstract(struct dh_scan_run *run, uint32_t fn, struct dh_scan_state *e, uint32_t *args,
	uint32_t n_args);
void dh_scan_concrete(struct dh_scan_run *run, uint32_t context, struct dh_scan_state *s,
	const struct dh_scan_state *was, const uint32_t *args, uint32_t n_args);
/* The locks held, as a callee that cannot name them knows them. */
uint32_t dh_scan_outer_locks(struct dh_scan_run *run, const struct dh_scan_state *s);

/* rule.c */
enum dh_scan_outcome dh_scan_apply(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, const struct dh_scan_rule *rule,
	const uint32_t *args, uint32_t n_args);
