/* Memory that one thread has for itself: what nobody else knows yet, and what it took out of what
 * all of them share.  Whoever unlinks an object under a lock owns it: others find it no more.  The
 * same is true of a number that a shared counter gives each of them, and of what stands in an array
 * at that number.
 *
 * An access to an object that was taken out counts as if the lock of that moment was still held:
 * those who use the object inside of the container hold it too, and who took it out has another
 * one.  Who kept a pointer to it and holds nothing is the one to tell of. */
#include "scan/analysis/run.h"
#include "scan/analysis/turn.h"
#include "scan/analysis/value.h"

bool dh_scan_is_fresh(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t addr)
{
	uint32_t base = dh_scan_base(run->p, addr);

	return dh_sym_of(&run->syms, base) && dh_sym_is_placed(&run->syms, addr) &&
	       dh_lockset_contains(run->sets, s->fresh, base);
}

/* Whether others can see what is written at the place: to a variable, or to memory that they know.
 */
static bool is_visible(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t place)
{
	uint32_t base = dh_scan_base(run->p, place);
	enum dh_sym_kind k = dh_sym_kind(&run->syms, base);

	return dh_scan_node(run->p, base)->op == DH_SCAN_GLOBAL ||
	       ((k == DH_SYM_HEAP || k == DH_SYM_FRAME) &&
		       !dh_lockset_contains(run->sets, s->fresh, base));
}

/* Who writes to what others see: only the first pass asks, with all threads of the program. */
static void note_writer(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, uint32_t addr)
{
	uint64_t key = ((uint64_t)f->fn << 32 | stmt) * UINT64_C(0x9e3779b97f4a7c15), known;
	uint32_t places[8], n;

	key = (key ^ addr) * UINT64_C(0x9e3779b97f4a7c15) ^ f->thread ^ (uint64_t)s->live << 32;
	if (run->last || run->kernel || dh_map_get(&run->writes_seen, key, &known))
		return;
	dh_map_set(&run->writes_seen, key, 1);
	n = dh_scan_resolve(run, addr, places, DH_ARRAY_SIZE(places));
	for (uint32_t i = 0; i < n; i++) {
		uint64_t set = DH_LOCKSET_EMPTY, beside = DH_LOCKSET_EMPTY;

		if (!is_visible(run, s, places[i]))
			continue;
		dh_map_get(&run->writers, places[i], &set);
		dh_map_set(&run->writers, places[i],
			dh_lockset_add(run->sets, (uint32_t)set, f->thread));
		dh_map_get(&run->written_beside, places[i], &beside);
		dh_map_set(&run->written_beside, places[i],
			dh_lockset_union(run->sets, (uint32_t)beside, s->live));
	}
}

bool dh_scan_only_writer(struct dh_scan_run *run, uint32_t addr, uint32_t thread)
{
	uint32_t place = dh_sym_any_index(&run->syms, addr);
	uint64_t set = DH_LOCKSET_EMPTY;
	size_t n;

	if (!run->last || run->kernel || dh_scan_is_many(run, thread) || place != addr ||
		!dh_map_get(&run->writers, place, &set))
		return false;
	dh_lockset_locks(run->sets, (uint32_t)set, &n);
	return n == 1 && dh_lockset_contains(run->sets, (uint32_t)set, thread);
}

/* All others who write the place created the thread, or who did, and wait until it has ended. */
static bool is_written_apart(
	struct dh_scan_run *run, uint32_t place, uint32_t writers, uint32_t thread)
{
	uint64_t beside = DH_LOCKSET_EMPTY;
	size_t n;

	dh_map_get(&run->written_beside, place, &beside);
	dh_lockset_locks(run->sets, writers, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t writer = dh_lockset_locks(run->sets, writers, &n)[i];

		if (writer == thread && !dh_scan_is_many(run, thread))
			continue;
		if (dh_scan_is_many(run, writer) || !dh_scan_is_descendant(run, thread, writer))
			return false;
	}
	dh_lockset_locks(run->sets, (uint32_t)beside, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t live = dh_lockset_locks(run->sets, (uint32_t)beside, &n)[i];

		if (live == thread || dh_scan_is_descendant(run, thread, live))
			return false;
	}
	return true;
}

bool dh_scan_is_stable(struct dh_scan_run *run, uint32_t addr, uint32_t thread)
{
	uint32_t place = dh_sym_any_index(&run->syms, addr);
	uint64_t set = DH_LOCKSET_EMPTY;

	if (dh_scan_only_writer(run, addr, thread))
		return true;
	return run->last && !run->kernel && place == addr &&
	       dh_map_get(&run->writers, place, &set) &&
	       is_written_apart(run, place, (uint32_t)set, thread);
}

bool dh_scan_is_kept(struct dh_scan_run *run, uint32_t addr, uint32_t thread)
{
	uint32_t places[8], n;

	if (!run->last)
		return false;
	n = dh_scan_resolve(run, addr, places, DH_ARRAY_SIZE(places));
	for (uint32_t i = 0; i < n; i++) {
		uint64_t set = DH_LOCKSET_EMPTY;

		if (dh_map_get(&run->writers, places[i], &set) &&
			!is_written_apart(run, places[i], (uint32_t)set, thread))
			return false;
	}
	return n && n < DH_ARRAY_SIZE(places);
}

/* Whether others may have changed the number that stands there. */
static bool is_others_number(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t addr)
{
	uint32_t base = dh_scan_base(run->p, addr);
	const struct dh_sym *y = dh_sym_of(&run->syms, base);

	return y && (y->kind == DH_SYM_HEAP || (y->kind == DH_SYM_FRAME && y->escapes)) &&
	       !dh_lockset_contains(run->sets, s->fresh, base) &&
	       !dh_scan_is_kept(run, addr, f->thread);
}

void dh_scan_forget_numbers(
	struct dh_scan_run *run, const struct dh_scan_frame *f, struct dh_scan_state *s)
{
	uint32_t k = 0;

	if (run->kernel)
		return;
	for (uint32_t i = 0; i < s->n_cells; i++) {
		int64_t v;

		if (!dh_scan_is_const(run->p, s->cells[i].value, &v) ||
			!is_others_number(run, f, s, s->cells[i].addr))
			s->cells[k++] = s->cells[i];
	}
	s->n_cells = k;
}

void dh_scan_touch(struct dh_scan_run *run, struct dh_scan_frame *f, const struct dh_scan_state *s,
	uint32_t stmt, uint32_t addr, uint32_t size, uint16_t flags)
{
	uint32_t base = dh_scan_base(run->p, addr);
	const struct dh_sym *y = dh_sym_of(&run->syms, base);
	bool fresh = y && dh_lockset_contains(run->sets, s->fresh, base);
	struct dh_scan_state with = *s;

	if (addr && flags & DH_SA_WRITE)
		note_writer(run, f, s, stmt, addr);
	if (addr)
		dh_scan_note_turn(run, f, s, addr, flags);
	if (addr && flags & DH_SA_WRITE)
		dh_scan_note_turn_write(run, f, s, addr);
	if (!addr || (fresh && !y->taken && dh_sym_is_placed(&run->syms, addr)))
		return;
	if (fresh && y->taken) {
		with.locks = dh_lockset_union(run->sets, s->locks, y->locks);
		flags |= dh_sym_is_placed(&run->syms, addr) ? DH_SA_OWNED : DH_SA_BELOW;
	}
	dh_scan_note_access(run, f, &with, stmt, addr, size, flags);
}

void dh_scan_own_as(struct dh_scan_run *run, uint32_t from, uint32_t to)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, from);
	struct dh_sym *z = dh_sym_of(&run->syms, to);

	if (!z)
		return;
	z->taken = y && y->taken;
	z->locks = y ? y->locks : DH_LOCKSET_EMPTY;
}

/* A name for what the statement takes; what it took before becomes old. */
static uint32_t make_name(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t which, uint32_t what)
{
	uint32_t node = dh_sym_get(&run->syms, DH_SYM_RESULT, f->fn, stmt, which);
	uint32_t old = dh_sym_get(&run->syms, DH_SYM_OLD, 0, 0, dh_scan_node(run->p, node)->a);

	dh_scan_state_rename(run, s, node, old);
	s->fresh = dh_lockset_remove(run->sets, s->fresh, node);
	dh_sym_bind(&run->syms, node, dh_sym_subst(&run->syms, what, node, old));
	return node;
}

/* From here on the value is a name of its own, and nobody else's. */
static uint32_t take(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t what)
{
	uint32_t node = make_name(run, f, s, stmt, 1, what);
	struct dh_sym *y = dh_sym_of(&run->syms, node);

	y->taken = true;
	y->locks = s->locks;
	dh_scan_state_rename(run, s, what, node);
	s->fresh = dh_lockset_add(run->sets, s->fresh, node);
	return node;
}

static bool holds_value(const struct dh_scan_state *s, uint32_t value)
{
	for (uint32_t i = 0; i < s->n_cells; i++)
		if (s->cells[i].value == value)
			return true;
	return false;
}

/* Whether the member leads to another object of the same kind: it is what lists are made of. */
static bool is_link(const struct dh_scan_program *p, uint32_t field)
{
	const struct dh_scan_type *t = &p->types[p->fields[field].type];

	return t->kind == DH_SCAN_TYPE_POINTER && t->target == p->fields[field].owner;
}

/* `prev->next = n->next` or `*at = n->next`: n; else 0. */
static uint32_t unlinked(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t addr, uint32_t value)
{
	struct dh_scan_node load = *dh_scan_node(run->p, value);
	struct dh_scan_node member = *dh_scan_node(run->p, load.op == DH_SCAN_LOAD ? load.a : 0);
	uint32_t field = dh_sym_last_field(run->p, addr);

	if (member.op != DH_SCAN_FIELD || !is_link(run->p, member.b) ||
		(field ? field != member.b : dh_sym_kind(&run->syms, addr) == DH_SYM_NONE) ||
		dh_scan_object(run->p, addr) == member.a || !holds_value(s, member.a))
		return 0;
	return member.a;
}

void dh_scan_take_out(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t addr, uint32_t *value)
{
	uint32_t was = dh_scan_load(run->p, addr), taken;
	int64_t v;
	bool null = dh_scan_is_const(run->p, *value, &v) && v == 0;

	if (s->locks == DH_LOCKSET_EMPTY || !was || !*value || dh_scan_is_fresh(run, s, addr))
		return;
	/* `n = head; head = n->next;` */
	if (!holds_value(s, was) ||
		!(null || (*value != was && dh_scan_node(run->p, *value)->op != DH_SCAN_BINARY &&
				  dh_scan_contains(run->p, *value, was))))
		was = unlinked(run, s, addr, *value);
	if (!was || dh_lockset_contains(run->sets, s->fresh, was))
		return;
	taken = take(run, f, s, stmt, was);
	*value = dh_sym_subst(&run->syms, *value, was, taken);
}

/* Whether it is the number, counted up or down, perhaps to the other end of a ring. */
static bool is_next(struct dh_scan_run *run, uint32_t node, uint32_t number)
{
	struct dh_scan_node n = *dh_scan_node(run->p, node);

	if (n.op != DH_SCAN_BINARY)
		return false;
	if (n.sub == DH_SCAN_REM || n.sub == DH_SCAN_AND)
		return is_next(run, n.a, number);
	return n.a == number && (n.sub == DH_SCAN_ADD || n.sub == DH_SCAN_SUB);
}

/* The value of a shared counter, within the expression, that was counted up or down since. */
static uint32_t counted(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t node)
{
	struct dh_scan_node n = *dh_scan_node(run->p, node);
	uint32_t found = 0;

	switch (n.op) {
	case DH_SCAN_LOAD: {
		if (is_next(run, dh_scan_state_get(s, n.a), node))
			return node;
		return counted(run, s, n.a);
	}
	case DH_SCAN_FIELD:
	case DH_SCAN_OFFSET:
		return counted(run, s, n.a);
	case DH_SCAN_INDEX:
	case DH_SCAN_BINARY:
		found = counted(run, s, n.a);
		return found ? found : counted(run, s, n.b);
	default:
		return 0;
	}
}

/* Whether the address is of an element whose number depends on the name. */
static bool is_element_of(struct dh_scan_run *run, uint32_t addr, uint32_t name)
{
	struct dh_scan_node n = *dh_scan_node(run->p, addr);

	while (n.op == DH_SCAN_FIELD || n.op == DH_SCAN_OFFSET || n.op == DH_SCAN_INDEX) {
		if (n.op == DH_SCAN_INDEX && n.b && dh_scan_contains(run->p, n.b, name))
			return true;
		n = *dh_scan_node(run->p, n.a);
	}
	return false;
}

/* What was loaded from the element of that number belongs to who has the number. */
static void take_elements(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t name)
{
	for (uint32_t i = 0; i < s->n_cells; i++) {
		uint32_t value = s->cells[i].value;
		const struct dh_scan_node *n = dh_scan_node(run->p, value);

		if (n->op == DH_SCAN_LOAD && is_element_of(run, n->a, name)) {
			take(run, f, s, stmt, value);
			return;
		}
	}
}

static bool is_used_elsewhere(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t addr, uint32_t load)
{
	for (uint32_t i = 0; i < s->n_cells; i++)
		if (s->cells[i].addr != addr && dh_scan_contains(run->p, s->cells[i].value, load))
			return true;
	return false;
}

void dh_scan_claim(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t node)
{
	uint32_t load = s->locks == DH_LOCKSET_EMPTY || !node ? 0 : counted(run, s, node), name;
	uint8_t sub;

	if (!load || !is_used_elsewhere(run, s, dh_scan_node(run->p, load)->a, load))
		return;
	sub = dh_scan_node(run->p, dh_scan_state_get(s, dh_scan_node(run->p, load)->a))->sub;
	name = make_name(run, f, s, stmt, 0, load);
	/* The numbers of a ring come again; what was taken from its places does not. */
	dh_sym_of(&run->syms, name)->claimed = sub == DH_SCAN_ADD || sub == DH_SCAN_SUB;
	dh_scan_state_rename(run, s, load, name);
	take_elements(run, f, s, stmt, name);
}

void dh_scan_own_update(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t addr,
	uint32_t value, uint32_t result)
{
	struct dh_sym *y = dh_sym_of(&run->syms, result);
	int64_t v;

	dh_sym_bind(&run->syms, result, dh_scan_load(run->p, addr));
	if (!dh_scan_is_const(run->p, value, &v) || v != 0) {
		y->claimed = true;
		return;
	}
	y->taken = true;
	y->locks = s->locks;
	s->fresh = dh_lockset_add(run->sets, s->fresh, result);
}

uint32_t dh_scan_claim_of(struct dh_scan_run *run, uint32_t node)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, node);
	struct dh_scan_node n = *dh_scan_node(run->p, node);
	uint32_t found;

	if (y && y->kind == DH_SYM_OLD)
		y = &run->syms.rows[y->other];
	if (y)
		return y->claimed && y->n_values ? y->values[0] : 0;
	/* Only what keeps different values different: no remainder, no mask. */
	if (n.op != DH_SCAN_BINARY ||
		(n.sub != DH_SCAN_ADD && n.sub != DH_SCAN_SUB && n.sub != DH_SCAN_MUL))
		return 0;
	found = dh_scan_claim_of(run, n.a);
	return found ? found : dh_scan_claim_of(run, n.b);
}
