/* What addresses in the program under test mean: statements, stacks, variables, threads.
 *
 * Addresses are the same in all runs of a campaign (no randomisation), so one session serves all of
 * them.  Strings live as long as the session.  One thread. */
#pragma once
#include "base/forward.h"
#include "model/site.h"
#include "wire/sched.h"

struct dh_block;
struct dh_sym;
struct dh_symbols;

/* path: of the program, which the control block calls "". */
struct dh_symbols *dh_symbols_new(const char *path);
void dh_symbols_free(struct dh_symbols *s);
/* Learns the modules that the last run had loaded. */
void dh_symbols_update(struct dh_symbols *s, const struct dh_block *b);

/* The innermost place of a statement; pc is the return address of its call. */
const struct dh_frame *dh_symbols_at(struct dh_symbols *s, uint64_t pc);
/* The frames of a stack, innermost first, in the arena. */
struct dh_stack dh_symbols_stack(
	struct dh_symbols *s, const struct dh_sched_stack *stack, struct dh_arena *arena);
/* The innermost address of a stack that is not in the C library or the runtime; 0: none. */
uint64_t dh_symbols_own(const struct dh_symbols *s, const struct dh_sched_stack *stack);
/* The variable at a data address, or NULL. */
const char *dh_symbols_variable(struct dh_symbols *s, uint64_t address);
/* The same without the members that the C library keeps inside of its types: "m", not
 * "m.__data.__lock". */
const char *dh_symbols_object(struct dh_symbols *s, uint64_t address);
/* "main", "thread 2 (worker)"; from the threads of the last run, else from the number alone. */
const char *dh_symbols_thread(struct dh_symbols *s, uint32_t id);
/* Learns the threads of the last run. */
void dh_symbols_threads(struct dh_symbols *s, const struct dh_block *b);
/* Where the thread was created; empty when that is not known. */
struct dh_stack dh_symbols_created(struct dh_symbols *s, uint32_t id, struct dh_arena *arena);
/* The line of source, without leading white space, or NULL. */
const char *dh_symbols_source(struct dh_symbols *s, const struct dh_frame *f);

/* The module that holds pc: its index in the control block's table, and the offset in it.
 * 0 or -ENOENT. */
int dh_symbols_place(
	const struct dh_symbols *s, uint64_t pc, uint32_t *ret_module, uint64_t *ret_offset);
/* The other way round; 0 when it is not loaded. */
uint64_t dh_symbols_pc(const struct dh_symbols *s, uint32_t module, uint64_t offset);
/* The path of a module as the control block has it ("" for the program), or NULL. */
const char *dh_symbols_module(const struct dh_symbols *s, uint32_t module);
size_t dh_symbols_n_modules(const struct dh_symbols *s);
struct dh_sym *dh_symbols_session(struct dh_symbols *s);
