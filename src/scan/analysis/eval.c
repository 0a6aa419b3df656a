/* Values of expressions in a state. */
#include "scan/analysis/run.h"
#include "scan/analysis/value.h"

#define MAX_SET 8

/* Applies a step to each alternative of a set. */
static uint32_t for_each(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t set,
	uint32_t (*step)(
		struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t a, uint32_t arg),
	uint32_t arg)
{
	uint32_t no = dh_scan_node(run->p, set)->a, values[MAX_SET], n = 0;
	int64_t v;

	for (uint32_t i = 0; i < run->syms.rows[no].n_values && n < MAX_SET; i++) {
		uint32_t a = run->syms.rows[no].values[i];

		if (dh_scan_is_const(run->p, a, &v))
			continue; /* null leads nowhere */
		values[n] = step(run, s, a, arg);
		if (!values[n])
			return 0;
		n++;
	}
	return dh_sym_set(&run->syms, values, n, run->syms.rows[no].other);
}

static bool is_set(struct dh_scan_run *run, uint32_t node)
{
	return dh_sym_kind(&run->syms, node) == DH_SYM_SET;
}

static uint32_t step_field(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t a, uint32_t field)
{
	return dh_scan_field_of(run->p, a, field);
}

static uint32_t step_index(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t a, uint32_t index)
{
	return dh_scan_index(run->p, a, index);
}

static uint32_t step_offset(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t a, uint32_t bytes)
{
	int64_t v = 0;

	dh_scan_is_const(run->p, bytes, &v);
	return dh_scan_offset(run->p, a, v);
}

/* The only value that the whole program ever puts there, if it is certain. */
static uint32_t only_value(struct dh_scan_run *run, uint32_t addr)
{
	uint32_t n;
	bool more;
	const uint32_t *values = dh_scan_memory_get(run, addr, &n, &more);

	if (n != 1 || more || !run->last)
		return 0;
	uint32_t base = dh_scan_base(run->p, values[0]);
	enum dh_sym_kind k = dh_sym_kind(&run->syms, base);

	if (!dh_sym_is_placed(&run->syms, values[0]))
		return 0;
	/* An element of an array is one of many, whatever its name. */
	if (dh_sym_any_index(&run->syms, values[0]) != values[0])
		return 0;
	if (k == DH_SYM_HEAP)
		return dh_sym_of(&run->syms, base)->many ? 0 : values[0];
	return k == DH_SYM_FRAME || k == DH_SYM_THREAD ||
			       dh_scan_node(run->p, base)->op == DH_SCAN_GLOBAL
		       ? values[0]
		       : 0;
}

static bool is_function(struct dh_scan_run *run, uint32_t node)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, node);

	return n->op == DH_SCAN_GLOBAL && run->p->symbols[n->a].flags & DH_SCAN_SYM_FUNCTION;
}

static uint32_t step_load(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t addr, uint32_t arg)
{
	uint32_t v = dh_scan_state_get(s, addr);

	(void)arg;
	if (v || (v = dh_scan_constant(run, addr)))
		return v;
	/* The first element of an array goes by two names. */
	const struct dh_scan_node n = *dh_scan_node(run->p, addr);
	int64_t index;

	if (n.op == DH_SCAN_INDEX && dh_scan_is_const(run->p, n.b, &index) && index == 0 &&
		(v = dh_scan_state_get(s, n.a)))
		return v;
	/* With the lock of its row held, it is what stands in that row. */
	if (!is_function(run, addr) && dh_sym_is_placed(&run->syms, addr) &&
		!dh_scan_lock_of_row(run, s, addr) && (v = only_value(run, addr)))
		return v;
	return dh_scan_load(run->p, addr);
}

uint32_t dh_scan_load_value(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t addr)
{
	return is_set(run, addr) ? for_each(run, s, addr, step_load, 0)
				 : step_load(run, s, addr, 0);
}

uint32_t dh_scan_fold(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t node)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, node);
	struct dh_scan_range r;

	if (!node || (dh_scan_node(run->p, node)->op != DH_SCAN_LOAD &&
			     (!y || (y->kind != DH_SYM_RESULT && y->kind != DH_SYM_PARAM))))
		return node;
	r = dh_scan_state_range(run, s, node);
	return r.lo == r.hi ? dh_scan_const(run->p, r.lo) : node;
}

/* Which of two elements of one array comes first is known. */
static uint32_t compare_elements(struct dh_scan_run *run, uint32_t node)
{
	struct dh_scan_node n = *dh_scan_node(run->p, node);
	struct dh_scan_node a = *dh_scan_node(run->p, n.a), b = *dh_scan_node(run->p, n.b);

	if (n.op != DH_SCAN_COMPARE || a.op != DH_SCAN_INDEX || b.op != DH_SCAN_INDEX ||
		a.a != b.a || !a.b || !b.b)
		return node;
	return dh_scan_compare(run->p, n.sub, a.b, b.b);
}

static uint32_t truth_of(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t node)
{
	struct dh_scan_range r;

	node = compare_elements(run, node);
	r = dh_scan_state_range(run, s, node);
	return r.lo == r.hi ? dh_scan_const(run->p, r.lo) : node;
}

static uint32_t call_value(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s, uint32_t stmt)
{
	uint32_t cell = dh_sym_get(&run->syms, DH_SYM_RESULT, f->fn, stmt, 0);
	uint32_t v = dh_scan_state_get(s, cell);

	return v ? v : cell;
}

uint32_t dh_scan_eval(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s, uint32_t node)
{
	const struct dh_scan_context *c = &run->contexts[f->context];
	struct dh_scan_node n = *dh_scan_node(run->p, node);
	uint32_t a, b;

	switch (n.op) {
	case DH_SCAN_PARAM:
		return n.a < c->n_args && c->args[n.a]
			       ? c->args[n.a]
			       : dh_sym_get(&run->syms, DH_SYM_PARAM, f->fn, n.a, 0);
	case DH_SCAN_FRAME:
		return dh_sym_get(&run->syms, DH_SYM_FRAME, f->fn, n.a, 0);
	case DH_SCAN_CALL:
		return call_value(run, f, s, n.a);
	case DH_SCAN_LOAD:
		a = dh_scan_eval(run, f, s, n.a);
		return a ? dh_scan_load_value(run, s, a) : 0;
	case DH_SCAN_FIELD:
		a = dh_scan_eval(run, f, s, n.a);
		b = run->syms.same[n.b];
		return is_set(run, a) ? for_each(run, s, a, step_field, b)
				      : dh_scan_field_of(run->p, a, b);
	case DH_SCAN_OFFSET:
		a = dh_scan_eval(run, f, s, n.a);
		return is_set(run, a) ? for_each(run, s, a, step_offset, n.b)
				      : step_offset(run, s, a, n.b);
	case DH_SCAN_INDEX:
		a = dh_scan_eval(run, f, s, n.a);
		b = dh_scan_fold(run, s, dh_scan_eval(run, f, s, n.b));
		return is_set(run, a) ? for_each(run, s, a, step_index, b)
				      : dh_scan_index(run->p, a, b);
	case DH_SCAN_BINARY:
		a = dh_scan_fold(run, s, dh_scan_eval(run, f, s, n.a));
		b = dh_scan_fold(run, s, dh_scan_eval(run, f, s, n.b));
		return dh_scan_binary(run->p, n.sub, a, b);
	case DH_SCAN_COMPARE:
		a = dh_scan_eval(run, f, s, n.a);
		b = dh_scan_eval(run, f, s, n.b);
		return truth_of(run, s, dh_scan_compare(run->p, n.sub, a, b));
	default:
		return node;
	}
}
