/* What branches tell about values: ranges of nodes, from constants, comparisons and sums. */
#include <stdlib.h>

#include "scan/analysis/run.h"
#include "scan/analysis/state.h"

static const struct dh_scan_range full = {INT64_MIN, INT64_MAX, false};
static const struct dh_scan_range truth_values = {0, 1, false};

static const struct dh_scan_range *find_known(const struct dh_scan_state *s, uint32_t node)
{
	uint32_t lo = 0, hi = s->n_known;

	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;

		if (s->known[mid].node < node)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->n_known && s->known[lo].node == node ? &s->known[lo].range : NULL;
}

static struct dh_scan_range meet(struct dh_scan_range a, struct dh_scan_range b)
{
	struct dh_scan_range r = {DH_MAX(a.lo, b.lo), DH_MIN(a.hi, b.hi), a.ne || b.ne};

	if (r.ne && r.lo == 0)
		r.lo = 1;
	if (r.ne && r.hi == 0)
		r.hi = -1;
	return r;
}

static struct dh_scan_range add_ranges(struct dh_scan_range a, struct dh_scan_range b, int sign)
{
	struct dh_scan_range r = full;
	int64_t lo = sign > 0 ? b.lo : b.hi, hi = sign > 0 ? b.hi : b.lo;

	if (a.lo == INT64_MIN || a.hi == INT64_MAX || b.lo == INT64_MIN || b.hi == INT64_MAX) {
		/* An open end stays open; the other one still says something. */
		if (sign > 0 && a.lo != INT64_MIN && b.lo != INT64_MIN)
			__builtin_add_overflow(a.lo, b.lo, &r.lo);
		return r;
	}
	if (__builtin_add_overflow(a.lo, sign * lo, &r.lo) ||
		__builtin_add_overflow(a.hi, sign * hi, &r.hi))
		return full;
	return r;
}

/* 1, 0, or -1 when the ranges do not decide it. */
static int decide(enum dh_scan_compare op, struct dh_scan_range a, struct dh_scan_range b)
{
	switch (op) {
	case DH_SCAN_EQ:
		if (a.lo == a.hi && b.lo == b.hi && a.lo == b.lo)
			return 1;
		if (a.hi < b.lo || b.hi < a.lo || (a.ne && b.lo == 0 && b.hi == 0) ||
			(b.ne && a.lo == 0 && a.hi == 0))
			return 0;
		return -1;
	case DH_SCAN_NE: {
		int r = decide(DH_SCAN_EQ, a, b);

		return r < 0 ? r : !r;
	}
	case DH_SCAN_LT:
		return a.hi < b.lo ? 1 : a.lo >= b.hi ? 0 : -1;
	case DH_SCAN_LE:
		return a.hi <= b.lo ? 1 : a.lo > b.hi ? 0 : -1;
	case DH_SCAN_GT:
		return decide(DH_SCAN_LT, b, a);
	default:
		return decide(DH_SCAN_LE, b, a);
	}
}

/* An address of an object is not null. */
static bool is_object(struct dh_scan_run *run, uint32_t node)
{
	uint32_t base = dh_scan_object(run->p, node);
	enum dh_sym_kind kind = dh_sym_kind(&run->syms, base);
	uint8_t op = dh_scan_node(run->p, base)->op, step = dh_scan_node(run->p, node)->op;

	/* A member or an element is part of an object, whichever it is. */
	return op == DH_SCAN_GLOBAL || op == DH_SCAN_STRING || kind == DH_SYM_FRAME ||
	       step == DH_SCAN_FIELD || step == DH_SCAN_INDEX;
}

/* Of a comparison and its opposite one is remembered.  Sets *flip if it is the opposite. */
static uint32_t canonical(struct dh_scan_run *run, struct dh_scan_node n, bool *flip)
{
	*flip = n.sub == DH_SCAN_NE || n.sub == DH_SCAN_GE || n.sub == DH_SCAN_GT;
	return dh_scan_compare(run->p, *flip ? dh_scan_opposite(n.sub) : n.sub, n.a, n.b);
}

/* 1, 0 or -1: what is known of a comparison. */
static int remembered(struct dh_scan_run *run, const struct dh_scan_state *s, struct dh_scan_node n)
{
	bool flip;
	const struct dh_scan_range *r = find_known(s, canonical(run, n, &flip));

	return !r || r->lo != r->hi ? -1 : (r->lo != 0) != flip;
}

static struct dh_scan_range range_of(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t node, int depth)
{
	struct dh_scan_node copy = *dh_scan_node(run->p, node), *n = &copy;
	const struct dh_scan_range *known = find_known(s, node);
	struct dh_scan_range r = full;
	int64_t v;

	if (dh_scan_is_const(run->p, node, &v))
		return (struct dh_scan_range){v, v, v != 0};
	if (is_object(run, node))
		r.ne = true;
	if (depth > 0 && n->op == DH_SCAN_BINARY &&
		(n->sub == DH_SCAN_ADD || n->sub == DH_SCAN_SUB))
		r = add_ranges(range_of(run, s, n->a, depth - 1), range_of(run, s, n->b, depth - 1),
			n->sub == DH_SCAN_ADD ? 1 : -1);
	if (depth > 0 && n->op == DH_SCAN_COMPARE) {
		int d = n->a == n->b ? (n->sub == DH_SCAN_EQ || n->sub == DH_SCAN_LE ||
					       n->sub == DH_SCAN_GE)
				     : decide(n->sub, range_of(run, s, n->a, depth - 1),
					       range_of(run, s, n->b, depth - 1));

		if (d < 0)
			d = remembered(run, s, *n);
		r = d < 0 ? truth_values : (struct dh_scan_range){d, d, d != 0};
	}
	return known ? meet(r, *known) : r;
}

struct dh_scan_range dh_scan_state_range(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t node)
{
	return node ? range_of(run, s, node, 4) : full;
}

bool dh_scan_state_learn(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t node, struct dh_scan_range range)
{
	struct dh_scan_range now = dh_scan_state_range(run, s, node);
	struct dh_scan_range r = meet(now, range);

	if (r.lo > r.hi)
		return false;
	if (node && dh_scan_node(run->p, node)->op != DH_SCAN_CONST)
		dh_scan_state_note(s, node, r);
	return true;
}

/* What "x op b" says about x. */
static struct dh_scan_range implied(uint8_t op, struct dh_scan_range b)
{
	struct dh_scan_range r = full;

	switch (op) {
	case DH_SCAN_EQ:
		return b;
	case DH_SCAN_NE:
		r.ne = b.lo == 0 && b.hi == 0;
		return r;
	case DH_SCAN_LT:
		r.hi = b.hi == INT64_MAX || b.hi == INT64_MIN ? b.hi : b.hi - 1;
		return r;
	case DH_SCAN_LE:
		r.hi = b.hi;
		return r;
	case DH_SCAN_GT:
		r.lo = b.lo == INT64_MIN || b.lo == INT64_MAX ? b.lo : b.lo + 1;
		return r;
	default:
		r.lo = b.lo;
		return r;
	}
}

bool dh_scan_state_assume(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t node, bool truth)
{
	struct dh_scan_node n = *dh_scan_node(run->p, node);
	struct dh_scan_range r = full;

	if (!node)
		return true;
	if (n.op != DH_SCAN_COMPARE) {
		r = truth ? (struct dh_scan_range){INT64_MIN, INT64_MAX, true}
			  : (struct dh_scan_range){0, 0, false};
		return dh_scan_state_learn(run, s, node, r);
	}
	struct dh_scan_range now = dh_scan_state_range(run, s, node);

	if ((truth && now.hi == 0) || (!truth && now.lo == 1))
		return false;
	uint8_t op = truth ? n.sub : dh_scan_opposite(n.sub);

	if (!dh_scan_state_learn(run, s, n.a, implied(op, dh_scan_state_range(run, s, n.b))))
		return false;
	/* Comparisons with what is not constant are remembered as they are. */
	if (dh_scan_node(run->p, n.b)->op != DH_SCAN_CONST || n.sub == DH_SCAN_EQ ||
		n.sub == DH_SCAN_NE) {
		bool flip;
		uint32_t node_kept = canonical(run, n, &flip);
		int64_t v = truth != flip;

		if (dh_scan_node(run->p, node_kept)->op == DH_SCAN_COMPARE)
			dh_scan_state_note(s, node_kept, (struct dh_scan_range){v, v, v != 0});
	}
	return true;
}
