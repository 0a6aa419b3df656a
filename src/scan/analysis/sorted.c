/* Locks that are taken in an order which a comparison decided: `if (a < b) lock a, b else lock b,
 * a`, by the addresses of the objects or by a member that both have. */
#include "scan/analysis/run.h"

/* What tells two elements or two objects apart. */
static const struct dh_sym *name_of(struct dh_scan_run *run, uint32_t node)
{
	for (uint32_t at = node; dh_scan_is_step(dh_scan_node(run->p, at)->op);
		at = dh_scan_node(run->p, at)->a)
		if (dh_scan_node(run->p, at)->op == DH_SCAN_INDEX)
			return dh_sym_of(&run->syms, dh_scan_node(run->p, at)->b);
	return dh_sym_of(&run->syms, dh_scan_base(run->p, node));
}

/* `low = i < j ? i : j, high = i < j ? j : i`: two names for the same two values. */
static bool are_sorted(struct dh_scan_run *run, uint32_t a, uint32_t b)
{
	const struct dh_sym *x = name_of(run, a), *y = name_of(run, b);

	return x && y && x != y && x->kind == DH_SYM_PHI && y->kind == DH_SYM_PHI &&
	       x->n_values == 2 && y->n_values == 2 &&
	       ((x->values[0] == y->values[0] && x->values[1] == y->values[1]) ||
		       (x->values[0] == y->values[1] && x->values[1] == y->values[0]));
}

/* Of `p->id` the member, and p; of anything else 0, and itself. */
static uint32_t member_of(struct dh_scan_run *run, uint32_t value, uint32_t *ret_object)
{
	struct dh_scan_node n = *dh_scan_node(run->p, value);
	struct dh_scan_node m = *dh_scan_node(run->p, n.op == DH_SCAN_LOAD ? n.a : 0);

	if (m.op != DH_SCAN_FIELD) {
		*ret_object = value;
		return 0;
	}
	*ret_object = m.a;
	return m.b;
}

/* By what the comparison orders the objects of the locks: 1 plus the member, negative when the
 * operands stand the other way round.  0: they are not what is compared. */
static int32_t key_of(struct dh_scan_run *run, struct dh_scan_node n, uint32_t a, uint32_t b)
{
	uint32_t x, y, member = member_of(run, n.a, &x);

	if (member_of(run, n.b, &y) != member) {
		member = 0;
		x = n.a;
		y = n.b;
	}
	if (dh_scan_contains(run->p, a, x) && dh_scan_contains(run->p, b, y))
		return (int32_t)member + 1;
	if (dh_scan_contains(run->p, a, y) && dh_scan_contains(run->p, b, x))
		return -(int32_t)member - 1;
	return 0;
}

int32_t dh_scan_sorted(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t a, uint32_t b)
{
	/* Only locks of one kind are. */
	if (dh_sym_last_field(run->p, a) != dh_sym_last_field(run->p, b))
		return 0;
	if (are_sorted(run, a, b))
		return 1;
	for (uint32_t i = 0; i < s->n_known; i++) {
		struct dh_scan_node n = *dh_scan_node(run->p, s->known[i].node);
		const struct dh_scan_range *r = &s->known[i].range;
		int64_t v;
		int32_t key;

		if (n.op != DH_SCAN_COMPARE || (n.sub != DH_SCAN_LT && n.sub != DH_SCAN_LE) ||
			r->lo != r->hi || dh_scan_is_const(run->p, n.b, &v))
			continue;
		key = key_of(run, n, a, b);
		if (key)
			return r->lo ? key : -key;
	}
	return 0;
}
