/* Which memory more than one thread can reach at all: what is handed to a thread, stored in a
 * global variable, given to unknown code, or stored in memory of which that is true.  The rest is
 * every thread's own, however it is named where it is used. */
#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/run.h"
#include "scan/analysis/value.h"

#define MAX_PLACES 12

/* Marks the objects that the value may lead to.  True if one is new. */
static bool mark(struct dh_scan_run *run, uint32_t value)
{
	uint32_t places[MAX_PLACES], n = dh_scan_resolve(run, value, places, MAX_PLACES);
	bool changed = false;

	for (uint32_t i = 0; i < n; i++) {
		struct dh_sym *y = dh_sym_of(&run->syms, dh_scan_base(run->p, places[i]));

		if (y && !y->escapes)
			changed = y->escapes = true;
	}
	return changed;
}

void dh_scan_escape(struct dh_scan_run *run, uint32_t value)
{
	struct dh_sym *y = value ? dh_sym_of(&run->syms, dh_scan_object(run->p, value)) : NULL;

	if (y)
		y->escapes = true;
	if (value)
		mark(run, value);
}

static bool is_known(struct dh_scan_run *run, uint32_t place)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, dh_scan_base(run->p, place));

	return y ? y->escapes
		 : dh_scan_node(run->p, dh_scan_base(run->p, place))->op == DH_SCAN_GLOBAL;
}

/* Whether others can reach what is stored at the address: of an address that cannot be resolved it
 * is not assumed. */
static bool is_reachable(struct dh_scan_run *run, uint32_t addr)
{
	uint32_t places[MAX_PLACES], n = dh_scan_resolve(run, addr, places, MAX_PLACES);

	for (uint32_t i = 0; i < n; i++)
		if (is_known(run, places[i]))
			return true;
	return false;
}

void dh_scan_find_escapes(struct dh_scan_run *run)
{
	uint32_t *addrs = dh_new_n(uint32_t, run->n_rows + 1);
	bool changed = true;

	dh_map_foreach (slot, &run->memory)
		addrs[slot->value] = (uint32_t)slot->key;
	for (uint32_t round = 0; changed && round < 64; round++) {
		changed = false;
		for (uint32_t i = 0; i < run->n_rows; i++)
			for (uint32_t j = 0;
				is_reachable(run, addrs[i]) && j < run->rows[i].n_values; j++)
				changed |= mark(run, run->rows[i].values[j]);
	}
	free(addrs);
}

bool dh_scan_escapes(const struct dh_scan_run *run, uint32_t place)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, dh_scan_base(run->p, place));

	return !y || (y->kind != DH_SYM_HEAP && y->kind != DH_SYM_FRAME) || y->escapes;
}
