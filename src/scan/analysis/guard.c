/* Which lock protects a variable: what the code says of it (guarded_by), or what most functions do
 * that take a lock for it (RacerX 8.5).  A function is one piece of evidence, however often it
 * touches the variable, and only if it takes the lock itself: what a callee touches while its
 * caller holds a lock is coincidence. */
#include <string.h>

#include "base/alloc.h"
#include "scan/analysis/bucket.h"
#include "scan/analysis/race.h"
#include "scan/analysis/stats.h"

#define MAX_KINDS 32
#define MAX_ITEMS 20000

struct count {
	uint32_t kind;
	uint32_t with, without; /* functions */
	uint32_t last_with, last_without;
};

struct counts {
	struct count rows[MAX_KINDS];
	uint32_t n;
};

/* Those that keep other threads away, not only interrupts or reclaim. */
static uint32_t kind_at(struct dh_scan_run *run, uint32_t lock)
{
	return dh_scan_lock_is_local(run, lock) ? 0 : dh_scan_lock_kind(run, run->locks[lock].node);
}

static void count_kind(struct counts *c, uint32_t kind, uint32_t fn)
{
	uint32_t i = 0;

	while (i < c->n && c->rows[i].kind != kind)
		i++;
	if (i == MAX_KINDS)
		return;
	if (i == c->n)
		c->rows[c->n++] = (struct count){.kind = kind};
	if (c->rows[i].last_with != fn)
		c->rows[i].with++;
	c->rows[i].last_with = fn;
}

/* Whether the lock is of that kind, or is a part of one: a class around a mutex. */
static bool is_of_kind(struct dh_scan_run *run, uint32_t lock, uint32_t kind)
{
	uint32_t at = run->locks[lock].node;

	if (kind_at(run, lock) == kind)
		return true;
	while (dh_scan_is_step(dh_scan_node(run->p, at)->op)) {
		at = dh_scan_node(run->p, at)->a;
		if (dh_scan_lock_kind(run, at) == kind)
			return true;
	}
	return false;
}

bool dh_scan_holds_kind(struct dh_scan_run *run, uint32_t locks, uint32_t kind)
{
	size_t n;

	dh_lockset_locks(run->sets, locks, &n);
	for (size_t i = 0; i < n; i++)
		if (is_of_kind(run, dh_lockset_locks(run->sets, locks, &n)[i], kind))
			return true;
	return false;
}

bool dh_scan_is_reader(struct dh_scan_run *run, const struct dh_scan_access *a)
{
	size_t n;
	const uint32_t *locks = dh_lockset_locks(run->sets, a->locks, &n);

	for (size_t i = 0; i < n && !(a->flags & DH_SA_WRITE); i++)
		if (run->locks[locks[i]].words & DH_SW_READER)
			return true;
	return false;
}

static bool is_evidence(struct dh_scan_run *run, const struct dh_scan_access *a)
{
	return !(a->flags & (DH_SA_ATOMIC | DH_SA_VOLATILE | DH_SA_FREE)) &&
	       !dh_scan_is_reader(run, a);
}

static void count_with(struct dh_scan_run *run, const struct dh_scan_bucket *b, struct counts *c)
{
	for (uint32_t i = 0; i < b->n && i < MAX_ITEMS; i++) {
		const struct dh_scan_access *a = &run->accesses[b->items[i]];
		size_t n;

		dh_lockset_locks(run->sets, a->own, &n);
		for (size_t k = 0; k < n && is_evidence(run, a); k++) {
			uint32_t kind = kind_at(run, dh_lockset_locks(run->sets, a->own, &n)[k]);

			if (kind)
				count_kind(c, kind, a->fn);
		}
	}
}

static void count_without(struct dh_scan_run *run, const struct dh_scan_bucket *b, struct count *c)
{
	for (uint32_t i = 0; i < b->n && i < MAX_ITEMS; i++) {
		const struct dh_scan_access *a = &run->accesses[b->items[i]];

		if (!is_evidence(run, a) || c->last_without == a->fn ||
			dh_scan_holds_kind(run, a->locks, c->kind))
			continue;
		c->last_without = a->fn;
		c->without++;
	}
}

/* A member of the same object, or a variable, by the name in an attribute. */
static uint32_t named_kind(struct dh_scan_run *run, const struct dh_scan_fact *fact)
{
	const struct dh_scan_program *p = run->p;
	const char *text = dh_scan_text(p, fact->text);
	uint32_t owner = fact->field ? p->fields[fact->field].owner : 0;

	if (!strncmp(text, "this->", 6))
		text += 6;
	text += *text == '&';
	for (uint32_t i = 1; owner && i < p->n_fields; i++)
		if (p->fields[i].owner == owner &&
			!strcmp(dh_scan_text(p, p->fields[i].name), text))
			return dh_scan_field_kind(run, i);
	for (uint32_t i = 1; i < p->n_symbols; i++)
		if (!strcmp(dh_scan_text(p, p->symbols[i].pretty), text) ||
			!strcmp(dh_scan_text(p, p->symbols[i].name), text))
			return dh_scan_global(run->p, i);
	/* Nobody ever uses it: no lock that is held is this one. */
	return dh_scan_string(run->p);
}

static uint32_t said_kind(struct dh_scan_run *run, const struct dh_scan_bucket *b)
{
	const struct dh_scan_node *n =
		dh_scan_node(run->p, b->place ? dh_scan_object(run->p, b->place) : 0);
	uint32_t symbol = n->op == DH_SCAN_GLOBAL ? n->a : 0;

	for (uint32_t i = 0; i < run->p->n_facts; i++) {
		const struct dh_scan_fact *f = &run->p->facts[i];

		if (((f->field && f->field == b->field) ||
			    (f->symbol && !b->field && f->symbol == symbol)) &&
			!strcmp(dh_scan_text(run->p, f->kind), "guarded_by"))
			return named_kind(run, f);
	}
	return 0;
}

struct dh_scan_guard dh_scan_guard_of(struct dh_scan_run *run, const struct dh_scan_bucket *b)
{
	struct dh_scan_guard best = {.kind = said_kind(run, b)};
	struct counts c = {.n = 0};

	if (best.kind) {
		best.said = true;
		return best;
	}
	count_with(run, b, &c);
	for (uint32_t i = 0; i < c.n; i++) {
		struct count *k = &c.rows[i];

		if (k->with < best.with)
			continue;
		count_without(run, b, k);
		double z = dh_scan_z(k->with, k->with + k->without, 0.8);

		if (!best.kind || z > best.z)
			best = (struct dh_scan_guard){
				.kind = k->kind, .with = k->with, .without = k->without, .z = z};
	}
	return best;
}
