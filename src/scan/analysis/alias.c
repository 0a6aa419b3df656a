/* Are two accesses to one object, and does a lock keep them apart?  Both are asked of symbolic
 * paths: `p->lock` protects `p->data` of the same p, whatever p is. */
#include "scan/analysis/bucket.h"
#include "scan/analysis/run.h"
#include "scan/analysis/value.h"

static bool is_step(uint8_t op)
{
	return op == DH_SCAN_FIELD || op == DH_SCAN_INDEX || op == DH_SCAN_OFFSET;
}

/* How far an index tells the instances of a thread apart. */
enum own {
	OWN_NOT,
	OWN_AGAIN, /* what the loop itself counts up: it depends on where the loop began */
	OWN_YES,
};

/* Names that paths gave and that are being looked into: loops lead back to them. */
struct phis {
	uint32_t nodes[24];
	uint32_t n;
};

static enum own own_index(
	struct dh_scan_run *run, uint32_t node, uint32_t thread, struct phis *phis);

static bool is_seen(struct dh_scan_run *run, const struct phis *phis, uint32_t node)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, node);

	if (y && y->kind == DH_SYM_OLD)
		node = run->syms.rows[y->other].node;
	for (uint32_t i = 0; i < phis->n; i++)
		if (phis->nodes[i] == node)
			return true;
	return false;
}

/* A loop that begins at a thread's own place and goes on from there: its part of the array. */
static enum own own_phi(struct dh_scan_run *run, uint32_t node, uint32_t thread, struct phis *phis)
{
	enum own all = OWN_AGAIN;

	if (phis->n == DH_ARRAY_SIZE(phis->nodes))
		return OWN_NOT;
	phis->nodes[phis->n++] = node;
	for (uint32_t i = 0; all && i < dh_sym_of(&run->syms, node)->n_values; i++) {
		enum own one = own_index(run, dh_sym_of(&run->syms, node)->values[i], thread, phis);

		all = one == OWN_NOT ? OWN_NOT : DH_MAX(all, one);
	}
	phis->n--;
	return all;
}

/* What the thread finds in its own element. */
static bool is_of_own_element(struct dh_scan_run *run, uint32_t at, uint32_t thread)
{
	struct phis phis = {.n = 0};

	while (at) {
		struct dh_scan_node m = *dh_scan_node(run->p, at);

		if (m.op == DH_SCAN_INDEX && own_index(run, m.b, thread, &phis) == OWN_YES)
			return true;
		if (dh_sym_kind(&run->syms, at) == DH_SYM_OWN)
			return true;
		if (!is_step(m.op))
			break;
		at = m.a;
	}
	return false;
}

static enum own own_index(
	struct dh_scan_run *run, uint32_t node, uint32_t thread, struct phis *phis)
{
	struct dh_scan_node n = *dh_scan_node(run->p, node);
	const struct dh_sym *y = dh_sym_of(&run->syms, node);
	enum own a;

	if (y && y->kind == DH_SYM_OWN)
		return y->at == thread ? OWN_YES : OWN_NOT;
	if (is_seen(run, phis, node))
		return OWN_AGAIN;
	if (y && y->kind == DH_SYM_PHI)
		return own_phi(run, node, thread, phis);
	/* Only what keeps different values different: no remainder, no mask. */
	if (n.op == DH_SCAN_BINARY &&
		(n.sub == DH_SCAN_ADD || n.sub == DH_SCAN_SUB || n.sub == DH_SCAN_MUL)) {
		a = own_index(run, n.a, thread, phis);
		if (a == OWN_NOT || (a == OWN_AGAIN && n.sub == DH_SCAN_MUL))
			return own_index(run, n.b, thread, phis) == OWN_YES ? OWN_YES : OWN_NOT;
		return a;
	}
	if (n.op == DH_SCAN_LOAD && is_of_own_element(run, n.a, thread))
		return OWN_YES;
	return OWN_NOT;
}

/* Whether the index depends on what is different in every instance of a thread. */
static bool is_own_index(struct dh_scan_run *run, uint32_t node, uint32_t thread)
{
	struct phis phis = {.n = 0};

	return own_index(run, node, thread, &phis) == OWN_YES;
}

/* Whether the i-th element of a's size and the j-th of b's have bytes in common, counted from the
 * same address. */
static bool overlap(
	const struct dh_scan_access *a, const struct dh_scan_access *b, int64_t i, int64_t j)
{
	const int64_t far = INT32_MAX;

	/* Bytes may be counted, whatever is accessed: the same number is the same place, too. */
	if (!a->size || !b->size || a->size == b->size || a->size > 16 || b->size > 16 || i < 0 ||
		j < 0 || i > far || j > far)
		return i == j;
	return i == j || (i * a->size < (j + 1) * b->size && j * b->size < (i + 1) * a->size);
}

/* last: nothing stands behind the indices, so that what is accessed is the element. */
static bool indices_differ(struct dh_scan_run *run, const struct dh_scan_access *a,
	const struct dh_scan_access *b, uint32_t i, uint32_t j, bool last)
{
	int64_t x, y;

	if (dh_scan_is_const(run->p, i, &x) && dh_scan_is_const(run->p, j, &y))
		return last ? !overlap(a, b, x, y) : x != y;
	bool own_a = i && is_own_index(run, i, a->thread),
	     own_b = j && is_own_index(run, j, b->thread);

	if (own_a && own_b && a->thread == b->thread)
		return true;
	uint32_t claim = i ? dh_scan_claim_of(run, i) : 0;

	if (claim && j && claim == dh_scan_claim_of(run, j))
		return true;
	/* Who creates the threads fills in an element before he hands it over. */
	return (own_a && b->flags & DH_SA_OWN_ELEMENT &&
		       dh_lockset_contains(
			       run->sets, run->threads[a->thread].parents, b->thread)) ||
	       (own_b && a->flags & DH_SA_OWN_ELEMENT &&
		       dh_lockset_contains(run->sets, run->threads[b->thread].parents, a->thread));
}

/* Whether the object is what each of the threads made for itself. */
static bool is_own_object(struct dh_scan_run *run, uint32_t base, uint32_t thread)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, base);

	if (!y || (y->kind != DH_SYM_HEAP && y->kind != DH_SYM_FRAME))
		return false;
	for (uint32_t i = 0; i < y->n_values; i++)
		if (y->values[i] == thread + 1)
			return true;
	return false;
}

/* Whether it is memory that was handed to the thread when it began, and to no other. */
static bool is_handed(struct dh_scan_run *run, uint32_t base, uint32_t thread, int depth)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, base);
	uint32_t n = 0;
	int64_t v;

	if (!y || depth > 3)
		return false;
	if (y->kind == DH_SYM_OWN)
		return depth ? dh_sym_kind(&run->syms, y->other) == DH_SYM_HEAP : y->at == thread;
	if (y->kind != DH_SYM_PARAM && y->kind != DH_SYM_PHI && y->kind != DH_SYM_SET)
		return false;
	/* A name for what several threads bring: each brings its own. */
	for (uint32_t i = 0; i < y->n_values; i++) {
		if (dh_scan_is_const(run->p, y->values[i], &v))
			continue;
		if (!is_handed(run, y->values[i], thread, depth + 1))
			return false;
		n++;
	}
	return n && !y->more;
}

static bool bases_differ(struct dh_scan_run *run, const struct dh_scan_access *a,
	const struct dh_scan_access *b, uint32_t x, uint32_t y)
{
	const struct dh_sym *s = dh_sym_of(&run->syms, x), *t = dh_sym_of(&run->syms, y);

	if (s && t && s->kind == DH_SYM_OWN && t->kind == DH_SYM_OWN && s->at == t->at)
		return a->thread == b->thread;
	if (s && t && is_handed(run, x, a->thread, 0) && is_handed(run, y, b->thread, 0))
		return s->kind != DH_SYM_OWN || dh_sym_kind(&run->syms, s->other) == DH_SYM_HEAP;
	return x == y && is_own_object(run, x, a->thread) && is_own_object(run, y, b->thread);
}

/* An element and what may be the whole array: that is its first element, unless all of it is meant.
 * at: the element, array: the other one's place; last: the element itself is accessed. */
static bool is_other_element(struct dh_scan_run *run, const struct dh_scan_access *element,
	const struct dh_scan_access *other, uint32_t at, uint32_t array, bool last)
{
	struct dh_scan_node n = *dh_scan_node(run->p, at);
	int64_t v;

	return dh_scan_is_const(run->p, n.b, &v) && v != 0 && !(other->flags & DH_SA_WHOLE) &&
	       !(last && overlap(element, other, v, 0)) &&
	       dh_scan_node(run->p, array)->op != DH_SCAN_LOAD && n.a == array;
}

/* A number of an array that goes by the type of a struct with one member. */
static bool is_member_of_element(
	struct dh_scan_run *run, struct dh_scan_node member, struct dh_scan_node element)
{
	const struct dh_scan_node *of = dh_scan_node(run->p, member.a);

	return member.op == DH_SCAN_FIELD && element.op == DH_SCAN_INDEX &&
	       of->op == DH_SCAN_INDEX && of->a == element.a;
}

bool dh_scan_disjoint(
	struct dh_scan_run *run, const struct dh_scan_access *a, const struct dh_scan_access *b)
{
	uint32_t x = a->addr, y = b->addr;

	for (;;) {
		struct dh_scan_node n = *dh_scan_node(run->p, x), m = *dh_scan_node(run->p, y);
		bool last = x == a->addr && y == b->addr;

		if (is_member_of_element(run, m, n)) {
			y = m.a;
			continue;
		}
		if (is_member_of_element(run, n, m)) {
			x = n.a;
			continue;
		}
		if (n.op == DH_SCAN_INDEX && m.op == DH_SCAN_INDEX) {
			if (indices_differ(run, a, b, n.b, m.b, last))
				return true;
		} else if (n.op == DH_SCAN_INDEX) {
			if (is_other_element(run, a, b, x, y, last))
				return true;
			x = n.a;
			continue;
		} else if (m.op == DH_SCAN_INDEX) {
			if (is_other_element(run, b, a, y, x, last))
				return true;
			y = m.a;
			continue;
		} else if (n.op == DH_SCAN_FIELD && m.op == DH_SCAN_GLOBAL) {
			/* A member of what is no struct there. */
			x = n.a;
			continue;
		} else if (m.op == DH_SCAN_FIELD && n.op == DH_SCAN_GLOBAL) {
			y = m.a;
			continue;
		} else if (!is_step(n.op) || !is_step(m.op)) {
			return bases_differ(
				run, a, b, dh_scan_object(run->p, x), dh_scan_object(run->p, y));
		}
		x = n.a;
		y = m.a;
	}
}

/* The lock as seen from the object: the same for two objects when each has its own. */
static bool same_relation(struct dh_scan_run *run, uint32_t la, uint32_t x, uint32_t lb, uint32_t y)
{
	uint32_t mark = dh_sym_get(&run->syms, DH_SYM_MARK, 0, 0, 0);

	return dh_scan_contains(run->p, la, x) && dh_scan_contains(run->p, lb, y) &&
	       dh_sym_subst(&run->syms, la, x, mark) == dh_sym_subst(&run->syms, lb, y, mark);
}

static bool is_relative(
	struct dh_scan_run *run, uint32_t addr_a, uint32_t la, uint32_t addr_b, uint32_t lb)
{
	uint32_t x = addr_a, y = addr_b;

	for (;;) {
		struct dh_scan_node n = *dh_scan_node(run->p, x), m = *dh_scan_node(run->p, y);
		int64_t v;

		if (dh_scan_node(run->p, x)->op != DH_SCAN_GLOBAL &&
			same_relation(run, la, x, lb, y))
			return true;
		if (n.op != m.op)
			return false;
		/* One lock for each element. */
		if (n.op == DH_SCAN_INDEX && n.b && m.b && !dh_scan_is_const(run->p, n.b, &v) &&
			!dh_scan_is_const(run->p, m.b, &v) && same_relation(run, la, n.b, lb, m.b))
			return true;
		if (n.op == DH_SCAN_INDEX && n.b && m.b && same_relation(run, la, n.b, lb, m.b) &&
			dh_sym_any_index(&run->syms, la) == dh_sym_any_index(&run->syms, lb))
			return true;
		if (n.op == DH_SCAN_FIELD && n.b != m.b)
			return false;
		if (!is_step(n.op) && n.op != DH_SCAN_LOAD)
			return false;
		x = n.a;
		y = m.a;
	}
}

/* A name that a loop gave, as the path by which the loop came there. */
static uint32_t origin(struct dh_scan_run *run, uint32_t addr)
{
	for (int i = 0; i < 4; i++) {
		uint32_t base = dh_scan_base(run->p, addr), to = 0;
		const struct dh_sym *y = dh_sym_of(&run->syms, base);

		if (!y || (y->kind != DH_SYM_PHI && y->kind != DH_SYM_OLD &&
				  y->kind != DH_SYM_RESULT))
			break;
		if (y->kind == DH_SYM_OLD)
			to = run->syms.rows[y->other].node;
		for (uint32_t j = 0; j < y->n_values && !to; j++)
			if (!dh_scan_contains(run->p, y->values[j], base))
				to = y->values[j];
		if (!to || dh_scan_contains(run->p, to, base))
			break;
		addr = dh_sym_subst(&run->syms, addr, base, to);
	}
	return addr;
}

static bool has_variable_index(const struct dh_scan_run *run, uint32_t node)
{
	uint32_t base = dh_scan_base(run->p, node);
	int64_t v;

	while (node != base) {
		const struct dh_scan_node *n = dh_scan_node(run->p, node);

		if (n->op == DH_SCAN_INDEX && !dh_scan_is_const(run->p, n->b, &v))
			return true;
		node = n->a;
	}
	return false;
}

/* Both are to one object, so a lock that is in the same place of it is one lock. */
static bool is_of_object(
	struct dh_scan_run *run, uint32_t addr_a, uint32_t la, uint32_t addr_b, uint32_t lb)
{
	uint32_t x = dh_scan_object(run->p, addr_a), y = dh_scan_object(run->p, addr_b);

	return dh_scan_node(run->p, x)->op != DH_SCAN_GLOBAL && !has_variable_index(run, la) &&
	       same_relation(run, la, x, lb, y);
}

/* An array of locks for many objects: which one it is follows from the object, by a hash or a
 * number that it has.  That the same object leads to two of them would be strange. */
static bool is_striped(
	struct dh_scan_run *run, uint32_t addr_a, uint32_t la, uint32_t addr_b, uint32_t lb)
{
	uint32_t object = dh_scan_object(run->p, addr_a);
	const struct dh_sym *y = dh_sym_of(&run->syms, object);

	if (dh_scan_node(run->p, la)->op != DH_SCAN_INDEX || !has_variable_index(run, la) ||
		!has_variable_index(run, lb) ||
		dh_sym_any_index(&run->syms, la) != dh_sym_any_index(&run->syms, lb))
		return false;
	return dh_scan_node(run->p, object)->op != DH_SCAN_GLOBAL &&
	       !(y && (y->kind == DH_SYM_HEAP || y->kind == DH_SYM_FRAME) && !y->many) &&
	       dh_scan_base(run->p, la) != dh_scan_base(run->p, addr_a) &&
	       dh_scan_base(run->p, lb) != dh_scan_base(run->p, addr_b);
}

/* from_a, from_b: the origins of the addresses. */
static bool protects(struct dh_scan_run *run, const struct dh_scan_access *a, uint32_t from_a,
	uint32_t la, const struct dh_scan_access *b, uint32_t from_b, uint32_t lb)
{
	const struct dh_scan_lock *x = &run->locks[la], *y = &run->locks[lb];

	if ((x->read && y->read) || dh_scan_lock_is_local(run, la))
		return false;
	if (x->node == y->node && dh_scan_lock_is_unique(run, la))
		return true;
	return is_relative(run, a->addr, x->node, b->addr, y->node) ||
	       ((from_a != a->addr || from_b != b->addr) &&
		       is_relative(run, from_a, x->node, from_b, y->node)) ||
	       is_of_object(run, a->addr, x->node, b->addr, y->node) ||
	       is_striped(run, a->addr, x->node, b->addr, y->node);
}

uint32_t dh_scan_common_lock(
	struct dh_scan_run *run, const struct dh_scan_access *a, const struct dh_scan_access *b)
{
	uint32_t from_a, from_b;
	size_t n, m;

	dh_lockset_locks(run->sets, a->locks, &n);
	dh_lockset_locks(run->sets, b->locks, &m);
	if (!n || !m)
		return 0;
	from_a = origin(run, a->addr);
	from_b = origin(run, b->addr);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < m; j++) {
			uint32_t la = dh_lockset_locks(run->sets, a->locks, &n)[i];
			uint32_t lb = dh_lockset_locks(run->sets, b->locks, &m)[j];

			if (protects(run, a, from_a, la, b, from_b, lb))
				return la;
		}
	return 0;
}
