/* Between the files that say what the functions of the retargeting table do: rule.c has the locks
 * and threads and the table of handlers, rule_effect.c the memory. */
#pragma once
#include "scan/analysis/run.h"

/* Everything a handler needs. */
struct dh_rule_call {
	struct dh_scan_run *run;
	struct dh_scan_frame *f;
	struct dh_scan_item *it;
	struct dh_scan_state *s; /* of it */
	uint32_t stmt;
	const struct dh_scan_rule *rule;
	const uint32_t *args;
	uint32_t n_args;
};

/* The n-th argument that the rule names, or 0. */
static inline uint32_t dh_rule_arg(const struct dh_rule_call *c, unsigned n)
{
	uint8_t no = n < c->rule->n_args ? c->rule->arg[n] : 0;

	return no && no <= c->n_args ? c->args[no - 1] : 0;
}

static inline uint32_t dh_rule_arg_node(const struct dh_rule_call *c, unsigned n)
{
	uint8_t no = n < c->rule->n_args ? c->rule->arg[n] : 0;

	return no && no <= c->n_args ? dh_scan_args(c->f->body, &c->f->body->stmts[c->stmt])[no - 1]
				     : 0;
}

enum dh_scan_outcome dh_rule_alloc(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_free(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_effect(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_atomic(struct dh_rule_call *c);
