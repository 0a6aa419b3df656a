/* Critical sections: what programmers take a lock for.  Who is alone in one, or its first or last,
 * is what the lock is there for (RacerX 8.4). */
#include "base/alloc.h"
#include "scan/analysis/bucket.h"
#include "scan/analysis/run.h"

static struct dh_scan_section *section_of(struct dh_scan_run *run, uint32_t fn, uint32_t stmt)
{
	uint64_t key = (uint64_t)fn << 32 | stmt, no;

	if (dh_map_get(&run->section_index, key, &no))
		return &run->sections[no];
	dh_map_set(&run->section_index, key, run->n_sections);
	DH_GROW(run->sections, run->n_sections, run->cap_sections);
	run->sections[run->n_sections] = (struct dh_scan_section){.fn = fn, .stmt = stmt};
	return &run->sections[run->n_sections++];
}

/* Members of objects that are reached in different ways are one variable. */
static uint32_t variable_of(struct dh_scan_run *run, uint32_t addr)
{
	uint32_t field = dh_sym_last_field(run->p, addr);
	const struct dh_scan_node *n = dh_scan_node(run->p, dh_scan_object(run->p, addr));

	return field ? UINT32_C(1) << 31 | field : n->op == DH_SCAN_GLOBAL ? n->a : 0;
}

void dh_scan_section_access(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t addr)
{
	const struct dh_scan_held *h = s->n_held ? &s->held[s->n_held - 1] : NULL;
	uint32_t v = variable_of(run, addr);
	struct dh_scan_section *c;

	/* Only the function that takes the lock: what it calls is coincidence (RacerX 8.5). */
	if (!h || h->fn != f->fn || !v)
		return;
	c = section_of(run, h->fn, h->stmt);
	if (!c->first)
		c->first = v;
	c->last = v;
	for (uint32_t i = 0; i < c->n; i++)
		if (c->seen[i] == v)
			return;
	if (c->n == DH_ARRAY_SIZE(c->seen))
		c->more = true;
	else
		c->seen[c->n++] = v;
}

static void count(struct dh_map *m, uint32_t v)
{
	uint64_t n = 0;

	dh_map_get(m, v, &n);
	dh_map_set(m, v, n + 1);
}

static void sum_up(struct dh_scan_run *run)
{
	run->sections_summed = true;
	for (uint32_t i = 0; i < run->n_sections; i++) {
		const struct dh_scan_section *c = &run->sections[i];

		if (c->n == 1 && !c->more)
			count(&run->section_only, c->first);
		count(&run->section_first, c->first);
		count(&run->section_last, c->last);
	}
}

struct dh_scan_usage_section dh_scan_sections_of(
	struct dh_scan_run *run, const struct dh_scan_bucket *b)
{
	uint32_t v = variable_of(run, b->n ? run->accesses[b->items[0]].addr : 0);
	uint64_t only = 0, first = 0, last = 0;

	if (!run->sections_summed)
		sum_up(run);
	dh_map_get(&run->section_only, v, &only);
	dh_map_get(&run->section_first, v, &first);
	dh_map_get(&run->section_last, v, &last);
	return (struct dh_scan_usage_section){(uint32_t)only, (uint32_t)first, (uint32_t)last};
}
