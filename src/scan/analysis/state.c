#include "scan/analysis/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/lockset.h"
#include "scan/analysis/run.h"
#include "scan/analysis/value.h"

void dh_scan_state_release(struct dh_scan_state *s)
{
	free(s->cells);
	free(s->known);
	free(s->held);
	*s = (struct dh_scan_state){0};
}

static void *copy_of(const void *p, size_t n, size_t size)
{
	return n ? dh_memdup(p, n * size) : NULL;
}

void dh_scan_state_copy(struct dh_scan_state *ret, const struct dh_scan_state *s)
{
	*ret = *s;
	ret->cells = copy_of(s->cells, s->n_cells, sizeof(*s->cells));
	ret->known = copy_of(s->known, s->n_known, sizeof(*s->known));
	ret->held = copy_of(s->held, s->n_held, sizeof(*s->held));
	ret->cap_cells = s->n_cells;
	ret->cap_known = s->n_known;
	ret->cap_held = s->n_held;
}

bool dh_scan_state_same_key(const struct dh_scan_state *a, const struct dh_scan_state *b)
{
	return a->locks == b->locks && a->live == b->live && a->joined == b->joined &&
	       a->waited == b->waited && a->signalled == b->signalled;
}

/* The first cell whose address is not less. */
static uint32_t find_cell(const struct dh_scan_state *s, uint32_t addr)
{
	uint32_t lo = 0, hi = s->n_cells;

	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;

		if (s->cells[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

uint32_t dh_scan_state_get(const struct dh_scan_state *s, uint32_t addr)
{
	uint32_t i = find_cell(s, addr);

	return i < s->n_cells && s->cells[i].addr == addr ? s->cells[i].value : 0;
}

void dh_scan_state_forget(struct dh_scan_state *s, uint32_t addr)
{
	uint32_t i = find_cell(s, addr);

	if (i < s->n_cells && s->cells[i].addr == addr) {
		memmove(s->cells + i, s->cells + i + 1, (s->n_cells - i - 1) * sizeof(*s->cells));
		s->n_cells--;
	}
}

void dh_scan_state_set(struct dh_scan_state *s, uint32_t addr, uint32_t value)
{
	uint32_t i = find_cell(s, addr);

	if (!addr)
		return;
	if (!value) {
		dh_scan_state_forget(s, addr);
		return;
	}
	if (i < s->n_cells && s->cells[i].addr == addr) {
		s->cells[i].value = value;
		return;
	}
	if (s->n_cells >= DH_SCAN_MAX_CELLS)
		return;
	DH_GROW(s->cells, s->n_cells, s->cap_cells);
	memmove(s->cells + i + 1, s->cells + i, (s->n_cells - i) * sizeof(*s->cells));
	s->cells[i] = (struct dh_scan_cell){addr, value};
	s->n_cells++;
}

void dh_scan_state_filter(
	struct dh_scan_state *s, bool (*drop)(void *arg, uint32_t node), void *arg)
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < s->n_cells; i++)
		if (!drop(arg, s->cells[i].addr))
			s->cells[k++] = s->cells[i];
	s->n_cells = k;
	k = 0;
	for (uint32_t i = 0; i < s->n_known; i++)
		if (!drop(arg, s->known[i].node))
			s->known[k++] = s->known[i];
	s->n_known = k;
}

static bool is_full(struct dh_scan_range r)
{
	return r.lo == INT64_MIN && r.hi == INT64_MAX && !r.ne;
}

void dh_scan_state_note(struct dh_scan_state *s, uint32_t node, struct dh_scan_range r)
{
	uint32_t i = 0;

	while (i < s->n_known && s->known[i].node < node)
		i++;
	bool there = i < s->n_known && s->known[i].node == node;

	if (is_full(r)) {
		if (there) {
			memmove(s->known + i, s->known + i + 1,
				(s->n_known - i - 1) * sizeof(*s->known));
			s->n_known--;
		}
		return;
	}
	if (there) {
		s->known[i].range = r;
		return;
	}
	if (s->n_known >= DH_SCAN_MAX_KNOWN)
		return;
	DH_GROW(s->known, s->n_known, s->cap_known);
	memmove(s->known + i + 1, s->known + i, (s->n_known - i) * sizeof(*s->known));
	s->known[i] = (struct dh_scan_known){node, r};
	s->n_known++;
}

static uint32_t rename_set(struct dh_scan_run *run, uint32_t set, uint32_t from, uint32_t to,
	uint32_t (*map)(struct dh_scan_run *run, uint32_t item, uint32_t from, uint32_t to))
{
	size_t n, k = 0;
	const uint32_t *items = dh_lockset_locks(run->sets, set, &n);
	uint32_t list[64];
	bool changed = false;

	if (!n || n > DH_ARRAY_SIZE(list))
		return set;
	memcpy(list, items, n * sizeof(*list));
	for (size_t i = 0; i < n; i++) {
		uint32_t v = map(run, list[i], from, to);

		changed |= v != list[i];
		if (v)
			list[k++] = v;
	}
	return changed ? dh_lockset_of(run->sets, list, k) : set;
}

static uint32_t rename_node(struct dh_scan_run *run, uint32_t item, uint32_t from, uint32_t to)
{
	return dh_sym_subst(&run->syms, item, from, to);
}

static uint32_t rename_lock(struct dh_scan_run *run, uint32_t item, uint32_t from, uint32_t to)
{
	return dh_scan_lock_rename(run, item, from, to);
}

/* Values change in place; cells whose address changes move. */
static void rename_cells(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t from, uint32_t to)
{
	struct dh_scan_state moved = {0};
	uint32_t k = 0;

	for (uint32_t i = 0; i < s->n_cells; i++) {
		struct dh_scan_cell c = s->cells[i];
		uint32_t addr = dh_sym_subst(&run->syms, c.addr, from, to);
		uint32_t value = dh_sym_subst(&run->syms, c.value, from, to);

		if (addr != c.addr)
			dh_scan_state_set(&moved, addr, value);
		else if (value)
			s->cells[k++] = (struct dh_scan_cell){addr, value};
	}
	s->n_cells = k;
	for (uint32_t i = 0; i < moved.n_cells; i++)
		dh_scan_state_set(s, moved.cells[i].addr, moved.cells[i].value);
	free(moved.cells);
}

void dh_scan_state_rename(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t from, uint32_t to)
{
	uint32_t k = 0;

	if (from == to)
		return;
	s->locks = rename_set(run, s->locks, from, to, rename_lock);
	s->shared = rename_set(run, s->shared, from, to, rename_node);
	/* A loop's name for it; an older generation is many, and some may be known to others. */
	if (dh_sym_kind(&run->syms, to) == DH_SYM_PHI &&
		dh_lockset_contains(run->sets, s->fresh, from)) {
		s->fresh =
			dh_lockset_add(run->sets, dh_lockset_remove(run->sets, s->fresh, from), to);
		dh_scan_own_as(run, from, to);
	}
	for (uint32_t i = 0; i < s->n_held; i++)
		s->held[i].lock = dh_scan_lock_rename(run, s->held[i].lock, from, to);
	rename_cells(run, s, from, to);
	/* What was learned is about the old meaning. */
	for (uint32_t i = 0; i < s->n_known; i++)
		if (!dh_scan_contains(run->p, s->known[i].node, from) &&
			!dh_scan_contains(run->p, s->known[i].node, to))
			s->known[k++] = s->known[i];
	s->n_known = k;
}

void dh_scan_state_hold(struct dh_scan_state *s, const struct dh_scan_held *h)
{
	if (dh_scan_state_held(s, h->lock) || s->n_held >= DH_SCAN_MAX_HELD)
		return;
	DH_GROW(s->held, s->n_held, s->cap_held);
	s->held[s->n_held++] = *h;
}

void dh_scan_state_drop(struct dh_scan_state *s, uint32_t lock)
{
	for (uint32_t i = 0; i < s->n_held; i++)
		if (s->held[i].lock == lock) {
			memmove(s->held + i, s->held + i + 1,
				(s->n_held - i - 1) * sizeof(*s->held));
			s->n_held--;
			return;
		}
}

const struct dh_scan_held *dh_scan_state_held(const struct dh_scan_state *s, uint32_t lock)
{
	for (uint32_t i = 0; i < s->n_held; i++)
		if (s->held[i].lock == lock)
			return &s->held[i];
	return NULL;
}
