/* Values: what pointers in memory may lead to, what expressions are worth in a state, and which
 * memory is the thread's own.  Nodes are borrowed from the program. */
#pragma once
#include "scan/analysis/context.h"

/* memory.c */
void dh_scan_memory_seed(struct dh_scan_run *run);
void dh_scan_memory_add(struct dh_scan_run *run, uint32_t addr, uint32_t value);
/* The values seen at the address; *ret_n of them; *more: others too. */
const uint32_t *dh_scan_memory_get(
	struct dh_scan_run *run, uint32_t addr, uint32_t *ret_n, bool *more);
/* Whether values like this stay alternatives where paths meet. */
bool dh_scan_alternative(struct dh_scan_run *run, uint32_t value);
/* The places that an address may be: with any index, not symbolic.  At most max; 0: not known. */
uint32_t dh_scan_resolve(struct dh_scan_run *run, uint32_t addr, uint32_t *ret, uint32_t max);

/* eval.c, exec.c */
/* Members of what is copied keep their values. */
void dh_scan_copy_cells(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t to, uint32_t from);
uint32_t dh_scan_eval(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s, uint32_t node);
/* The constant that a value is known to be, else the value.  Names of loops stay names: which round
 * it is must not matter. */
uint32_t dh_scan_fold(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t node);
uint32_t dh_scan_load_value(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t addr);
void dh_scan_store_value(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t addr, uint32_t value);
/* What the value leads to may be seen by others from now on. */
void dh_scan_publish(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t value);

/* own.c */
/* Memory that nobody else knows. */
bool dh_scan_is_fresh(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t addr);
/* An access to the address, unless it is to memory that nobody else knows. */
void dh_scan_touch(struct dh_scan_run *run, struct dh_scan_frame *f, const struct dh_scan_state *s,
	uint32_t stmt, uint32_t addr, uint32_t size, uint16_t flags);
/* Whether the place in a global variable is written by this thread alone, so that its value stays
 * while others run.  Known from the first pass. */
bool dh_scan_only_writer(struct dh_scan_run *run, uint32_t addr, uint32_t thread);
/* The same, or nobody writes it from the beginning of the thread to its end. */
bool dh_scan_is_stable(struct dh_scan_run *run, uint32_t addr, uint32_t thread);
/* What memory that the thread was handed contains stays while it runs: nobody writes it then. */
bool dh_scan_is_kept(struct dh_scan_run *run, uint32_t addr, uint32_t thread);
/* Others ran: numbers that they may have changed in memory which they know are not known any more.
 */
void dh_scan_forget_numbers(
	struct dh_scan_run *run, const struct dh_scan_frame *f, struct dh_scan_state *s);
/* The symbol gets another name: what was taken stays taken. */
void dh_scan_own_as(struct dh_scan_run *run, uint32_t from, uint32_t to);
/* Before the value is stored: does that take an object out of a list? */
void dh_scan_take_out(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t addr, uint32_t *value);
/* Behind a statement that uses the expression: is there a number of a shared counter in it that is
 * this thread's own now? */
void dh_scan_claim(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t node);
/* An atomic update gives what was there: a number that nobody else gets, or, where it left null, an
 * object. */
void dh_scan_own_update(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t addr,
	uint32_t value, uint32_t result);
/* What such a number was counted with: equal for two that are different.  0: it is none. */
uint32_t dh_scan_claim_of(struct dh_scan_run *run, uint32_t node);

/* escape.c */
/* Others are told of what the value leads to. */
void dh_scan_escape(struct dh_scan_run *run, uint32_t value);
void dh_scan_find_escapes(struct dh_scan_run *run);
bool dh_scan_escapes(const struct dh_scan_run *run, uint32_t place);

/* constant.c */
void dh_scan_find_constants(struct dh_scan_run *run);
/* The only value that a variable ever has, or 0. */
uint32_t dh_scan_constant(struct dh_scan_run *run, uint32_t addr);
/* What such variables contain when main is called. */
void dh_scan_begin_program(struct dh_scan_run *run, struct dh_scan_state *s);

/* atomic.c */
void dh_scan_atomic_read(struct dh_scan_run *run, uint32_t addr, uint8_t order);
void dh_scan_atomic_write(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t addr, uint32_t value);
/* May fork the path. */
void dh_scan_atomic_update(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_item *it, uint32_t stmt);
/* A branch has decided about the condition. */
void dh_scan_atomic_learn(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t condition);
