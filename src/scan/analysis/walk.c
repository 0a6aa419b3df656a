/* The abstract execution: contexts of functions, each executed once, on a stack of our own so that
 * neither deep call chains nor long functions need any of the machine's. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/analysis/call.h"
#include "scan/analysis/run.h"
#include "scan/analysis/turn.h"

/* Blocks of a function that is large. */
#define LARGE 200

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static uint64_t hash_entry(uint32_t fn, uint32_t thread, const struct dh_scan_state *s,
	const uint32_t *args, uint32_t n_args)
{
	uint64_t h = mix(fn, thread);

	h = mix(mix(mix(h, s->locks), s->live), s->joined);
	h = mix(mix(mix(h, s->waited), s->signalled), s->fresh);
	h = mix(mix(mix(h, s->shared), s->concurrent), s->turns);
	for (uint32_t i = 0; i < n_args; i++)
		h = mix(h, args[i]);
	for (uint32_t i = 0; i < s->n_cells; i++)
		h = mix(mix(h, s->cells[i].addr), s->cells[i].value);
	return h;
}

static bool same_entry(const struct dh_scan_context *c, uint32_t fn, uint32_t thread,
	const struct dh_scan_state *s, const uint32_t *args, uint32_t n_args)
{
	return c->fn == fn && c->thread == thread && dh_scan_state_same_key(&c->entry, s) &&
	       c->entry.fresh == s->fresh && c->entry.shared == s->shared &&
	       c->entry.concurrent == s->concurrent && c->entry.turns == s->turns &&
	       c->n_args == n_args && c->entry.n_cells == s->n_cells &&
	       (!n_args || !memcmp(c->args, args, n_args * sizeof(*args))) &&
	       (!s->n_cells || !memcmp(c->entry.cells, s->cells, s->n_cells * sizeof(*s->cells)));
}

/* How often a function is executed is bounded by its size, so that the whole costs what the program
 * is long.  Small functions that lock for others must not be skipped: locks would get lost. */
uint32_t dh_scan_entries(struct dh_scan_run *run, uint32_t fn)
{
	uint32_t n = run->p->functions[fn]->n_stmts, most = run->limits.contexts;

	if (n < 60 && dh_scan_prepare(run, fn)->locks_inside)
		return most * 32;
	return DH_MIN(most, DH_MAX(run->limits.work / (n + 1), 8u));
}

/* How many states are followed into a block.  Where a large function has filled a block once, its
 * locks are not told apart any more: it is not worth that much another time.  What a thread begins
 * with is: it is entered once in each pass, and creates and joins the others. */
static uint32_t states_of(const struct dh_scan_run *run, const struct dh_scan_frame *f)
{
	if (!run->contexts[f->context].by || !run->fns[f->fn].crowded)
		return run->limits.states;
	return DH_MIN(run->limits.states, 8u);
}

static void note_crowd(struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t n)
{
	if (n >= run->limits.states && f->body->n_blocks >= LARGE)
		run->fns[f->fn].crowded = true;
}

uint32_t dh_scan_context_get(struct dh_scan_run *run, uint32_t fn, uint32_t thread,
	struct dh_scan_state *entry, const uint32_t *args, uint32_t n_args, uint32_t by,
	uint32_t by_stmt)
{
	uint64_t hash = hash_entry(fn, thread, entry, args, n_args), first = 0;

	dh_map_get(&run->context_index, hash, &first);
	for (uint32_t i = (uint32_t)first; i; i = run->contexts[i].next)
		if (same_entry(&run->contexts[i], fn, thread, entry, args, n_args)) {
			dh_scan_state_release(entry);
			return i;
		}
	if (run->fns[fn].n_contexts >= dh_scan_entries(run, fn)) {
		run->counts.cut_contexts++;
		dh_scan_state_release(entry);
		return 0;
	}
	run->fns[fn].n_contexts++;
	run->counts.contexts++;
	DH_GROW(run->contexts, run->n_contexts, run->cap_contexts);
	struct dh_scan_context *c = &run->contexts[run->n_contexts];

	*c = (struct dh_scan_context){.fn = fn,
		.thread = thread,
		.entry = *entry,
		.n_args = n_args,
		.args = n_args ? dh_memdup(args, n_args * sizeof(*args)) : NULL,
		.hash = hash,
		.next = (uint32_t)first,
		.by = by,
		.by_stmt = by_stmt,
		.depth = (uint16_t)(by ? DH_MIN(run->contexts[by].depth + 1, UINT16_MAX) : 0)};
	*entry = (struct dh_scan_state){0};
	dh_map_set(&run->context_index, hash, run->n_contexts);
	return run->n_contexts++;
}

static struct dh_scan_slot *add_slot(struct dh_scan_slots *n, struct dh_scan_state *s)
{
	DH_GROW(n->slots, n->n, n->cap);
	n->slots[n->n] = (struct dh_scan_slot){.state = *s};
	*s = (struct dh_scan_state){0};
	return &n->slots[n->n++];
}

static void set_pending(struct dh_scan_frame *f, uint32_t node, struct dh_scan_slot *slot)
{
	uint32_t at = f->prep->order[node];

	slot->pending = true;
	f->pending[at / 64] |= UINT64_C(1) << (at % 64);
}

/* Locals that others could be told of are private until they are. */
static void add_locals(
	struct dh_scan_run *run, const struct dh_scan_frame *f, struct dh_scan_state *s, bool enter)
{
	uint32_t list[256], n = 0;

	for (uint32_t i = 0; i < f->body->n_locals && n < DH_ARRAY_SIZE(list); i++) {
		if (!(f->body->locals[i].flags & DH_SCAN_LOCAL_ESCAPES))
			continue;
		list[n++] = dh_sym_get(&run->syms, DH_SYM_FRAME, f->fn, i, 0);
		if (enter)
			dh_sym_bind(&run->syms, list[n - 1], f->thread + 1);
	}
	if (!n)
		return;
	if (enter) {
		s->fresh = dh_lockset_union(run->sets, s->fresh, dh_lockset_of(run->sets, list, n));
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		s->fresh = dh_lockset_remove(run->sets, s->fresh, list[i]);
}

void dh_scan_enter(struct dh_scan_run *run, uint32_t context)
{
	struct dh_scan_frame *f = dh_new(struct dh_scan_frame);
	struct dh_scan_context *c = &run->contexts[context];
	struct dh_scan_state s;

	f->up = run->top;
	f->bottom = f->up && f->up->thread == c->thread ? f->up->bottom : f;
	f->context = context;
	f->fn = c->fn;
	f->thread = c->thread;
	f->body = run->p->functions[c->fn];
	f->prep = dh_scan_prepare(run, c->fn);
	f->states = states_of(run, f);
	f->nodes = dh_zalloc(((size_t)f->prep->n_nodes + 1) * sizeof(*f->nodes));
	f->pending = dh_zalloc((f->prep->n_order / 64 + 1) * sizeof(*f->pending));
	c->active = true;
	run->fns[f->fn].n_active++;
	run->top = f;
	if (!f->body->n_blocks)
		return;
	dh_scan_state_copy(&s, &c->entry);
	s.concurrent |= f->prep->locks_inside;
	add_locals(run, f, &s, true);
	dh_scan_trust_modes(run, &s);
	set_pending(f, 0, add_slot(&f->nodes[0], &s));
}

static void leave(struct dh_scan_run *run)
{
	struct dh_scan_frame *f = run->top;
	struct dh_scan_context *c = &run->contexts[f->context];

	c->done = true;
	c->active = false;
	run->fns[f->fn].n_active--;
	for (uint32_t i = 0; i < f->prep->n_nodes; i++) {
		for (uint32_t j = 0; j < f->nodes[i].n; j++)
			dh_scan_state_release(&f->nodes[i].slots[j].state);
		free(f->nodes[i].slots);
	}
	for (uint32_t i = 0; i < f->n_items; i++)
		dh_scan_state_release(&f->items[i].state);
	free(f->nodes);
	free(f->pending);
	free(f->items);
	dh_scan_jumps_release(f);
	run->top = f->up;
	free(f);
}

static void push_item(
	struct dh_scan_frame *f, struct dh_scan_state *s, uint32_t node, uint32_t stmt)
{
	DH_GROW(f->items, f->n_items, f->cap_items);
	f->items[f->n_items++] = (struct dh_scan_item){.state = *s, .node = node, .stmt = stmt};
	*s = (struct dh_scan_state){0};
}

/* How much two states agree: 3 in locks and threads, 2 not in what was joined, 1 in locks only. */
static int likeness(const struct dh_scan_state *a, const struct dh_scan_state *b)
{
	if (a->locks != b->locks)
		return 0;
	if (a->live != b->live)
		return 1;
	return a->joined != b->joined ? 2 : 3;
}

/* Behind a call in the middle of a block: the most alike of those that are there already. */
static struct dh_scan_item *item_like(
	struct dh_scan_frame *f, uint32_t stmt, const struct dh_scan_state *s)
{
	struct dh_scan_item *found = NULL;
	int best = 0;

	for (uint32_t i = 0; i < f->n_items; i++) {
		int like = f->items[i].stmt == stmt ? likeness(&f->items[i].state, s) : 0;

		if (like > best) {
			best = like;
			found = &f->items[i];
		}
	}
	return found;
}

/* Paths go side by side to the end of their block.  Where each of many calls leaves more of them,
 * they would be too many: those that are alike are one then. */
void dh_scan_fork(struct dh_scan_run *run, struct dh_scan_frame *f, const struct dh_scan_item *it,
	struct dh_scan_state *s)
{
	uint32_t stmt = it->stmt + 1;
	struct dh_scan_item *like = f->n_items < f->states ? NULL : item_like(f, stmt, s);

	if (like) {
		dh_scan_state_join(run, &like->state, s, f->fn, f->body->n_blocks * 2 + stmt, true);
		dh_scan_state_release(s);
	} else if (f->n_items >= 4 * f->states) {
		run->counts.cut_states++;
		dh_scan_state_release(s);
	} else {
		push_item(f, s, it->node, stmt);
	}
}

/* Who is behind the others goes on first, so that they can meet. */
static struct dh_scan_item take_item(struct dh_scan_frame *f)
{
	struct dh_scan_item it;
	uint32_t first = f->n_items - 1;

	for (uint32_t i = first; i-- > 0;)
		if (f->items[i].stmt < f->items[first].stmt)
			first = i;
	it = f->items[first];
	f->items[first] = f->items[--f->n_items];
	return it;
}

/* The first block in order that has something to do; false: none. */
static bool next_item(struct dh_scan_frame *f)
{
	for (uint32_t w = 0; w <= f->prep->n_order / 64; w++) {
		if (!f->pending[w])
			continue;
		uint32_t bit = (uint32_t)__builtin_ctzll(f->pending[w]);
		uint32_t node = f->prep->at[w * 64 + bit];
		struct dh_scan_slots *slots = &f->nodes[node];

		f->pending[w] &= ~(UINT64_C(1) << bit);
		for (uint32_t i = 0; i < slots->n; i++) {
			struct dh_scan_state s;

			if (!slots->slots[i].pending)
				continue;
			slots->slots[i].pending = false;
			dh_scan_state_copy(&s, &slots->slots[i].state);
			push_item(f, &s, node, f->body->blocks[f->prep->original[node]].first);
		}
		return true;
	}
	return false;
}

static void run_item(struct dh_scan_run *run, struct dh_scan_frame *f)
{
	struct dh_scan_item it = take_item(f);
	const struct dh_scan_block *b = &f->body->blocks[f->prep->original[it.node]];

	for (; it.stmt < b->first + b->n; it.stmt++) {
		if (++run->counts.steps > run->limits.steps) {
			run->counts.out_of_steps = true;
			dh_scan_state_release(&it.state);
			return;
		}
		switch (dh_scan_exec(run, f, &it, it.stmt)) {
		case DH_EXEC_NEXT:
			break;
		case DH_EXEC_END:
			dh_scan_state_release(&it.state);
			return;
		case DH_EXEC_WAIT:
			push_item(f, &it.state, it.node, it.stmt);
			return;
		}
	}
	dh_scan_leave(run, f, &it);
	dh_scan_state_release(&it.state);
}

void dh_scan_walk(struct dh_scan_run *run)
{
	struct dh_scan_frame *stop = run->top ? run->top->up : NULL;

	while (run->top != stop) {
		struct dh_scan_frame *f = run->top;

		if (run->counts.out_of_steps)
			leave(run);
		else if (f->n_items)
			run_item(run, f);
		else if (!next_item(f) && !dh_scan_resume_jump(run, f))
			leave(run);
	}
}

/* Ways that differ only in what was waited for are one; and when a block is reached in more ways
 * than are followed, the most alike takes it. */
static struct dh_scan_slot *slot_for(
	struct dh_scan_slots *slots, uint32_t most, const struct dh_scan_state *s)
{
	int best = slots->n >= most ? 0 : 2;
	struct dh_scan_slot *found = NULL;

	for (uint32_t i = 0; i < slots->n; i++) {
		int like = likeness(&slots->slots[i].state, s);

		if (like > best) {
			best = like;
			found = &slots->slots[i];
		}
	}
	return found;
}

/* From how many joins on ranges stop growing. */
#define WIDE_FROM 4
/* Whatever still changes then is left as it is. */
#define MAX_VISITS 60

void dh_scan_go(struct dh_scan_run *run, struct dh_scan_frame *f, uint32_t from, uint32_t node,
	struct dh_scan_state *s)
{
	struct dh_scan_slots *slots = &f->nodes[node];
	uint32_t most = f->states;
	struct dh_scan_slot *slot = slot_for(slots, most, s);

	(void)from;
	if (!slot && slots->n >= most) {
		run->counts.cut_states++;
		dh_scan_state_release(s);
		return;
	}
	if (!slot) {
		set_pending(f, node, add_slot(slots, s));
		note_crowd(run, f, slots->n);
		return;
	}
	if (dh_scan_state_join(run, &slot->state, s, f->fn, f->prep->original[node],
		    ++slot->visits > WIDE_FROM) &&
		slot->visits < MAX_VISITS)
		set_pending(f, node, slot);
	dh_scan_state_release(s);
}

void dh_scan_arrive(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_slots *slots,
	uint32_t node, uint32_t stmt, struct dh_scan_state *s)
{
	struct dh_scan_slot *slot = slot_for(slots, f->states, s);
	struct dh_scan_state copy;

	if (!slot && slots->n >= f->states) {
		run->counts.cut_states++;
		dh_scan_state_release(s);
		return;
	}
	if (!slot) {
		slot = add_slot(slots, s);
	} else {
		bool more = dh_scan_state_join(run, &slot->state, s, f->fn,
			f->body->n_blocks * 2 + stmt, ++slot->visits > WIDE_FROM);

		dh_scan_state_release(s);
		if (!more || slot->visits >= MAX_VISITS)
			return;
	}
	dh_scan_state_copy(&copy, &slot->state);
	push_item(f, &copy, node, stmt);
}

uint32_t dh_scan_return_cell(struct dh_scan_run *run, uint32_t fn)
{
	return dh_sym_get(&run->syms, DH_SYM_FRAME, fn, UINT32_MAX, 0);
}

struct own {
	struct dh_scan_run *run;
	uint32_t fn, keep;
};

static bool is_own_local(void *arg, uint32_t node)
{
	const struct own *o = arg;
	uint32_t base = dh_scan_base(o->run->p, node);
	const struct dh_sym *y = dh_sym_of(&o->run->syms, base);

	return y && y->fn == o->fn && (y->kind == DH_SYM_FRAME || y->kind == DH_SYM_RESULT) &&
	       base != o->keep && dh_sym_is_placed(&o->run->syms, node);
}

void dh_scan_add_exit(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t result, enum dh_scan_way way)
{
	struct dh_scan_context *c = &run->contexts[f->context];
	struct own own = {run, f->fn, dh_scan_return_cell(run, f->fn)};

	add_locals(run, f, s, false);
	dh_scan_state_set(s, own.keep, result);
	dh_scan_state_filter(s, is_own_local, &own);
	for (uint32_t i = 0; i < c->n_exits; i++) {
		if (c->exits[i].way != way || likeness(&c->exits[i].state, s) < 3)
			continue;
		c->exits[i].edges++;
		dh_scan_state_join(run, &c->exits[i].state, s, f->fn, UINT32_MAX, false);
		dh_scan_state_release(s);
		return;
	}
	DH_GROW(c->exits, c->n_exits, c->cap_exits);
	c->exits[c->n_exits++] = (struct dh_scan_exit){.state = *s, .edges = 1, .way = way};
	*s = (struct dh_scan_state){0};
}
