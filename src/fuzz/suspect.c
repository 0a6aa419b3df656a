#include "fuzz/suspect.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "fuzz/symbols.h"

/* Score of an atomicity suspect from which on it is more than a guess. */
#define LIKELY 5

static const struct {
	enum dh_sched_strategy strategy;
	unsigned urgency; /* tried in this order */
} kinds[] = {
	[DH_CAND_NONE] = {DH_SCHED_RANDOM, 9},
	[DH_CAND_RACE] = {DH_SCHED_RACE, 0},
	[DH_CAND_DEADLOCK] = {DH_SCHED_DEADLOCK, 1},
	[DH_CAND_ATOMICITY] = {DH_SCHED_ATOMICITY, 3},
	[DH_CAND_ORDER] = {DH_SCHED_ORDER, 2},
	[DH_CAND_MISUSE] = {DH_SCHED_RANDOM, 9},
};

enum dh_sched_strategy dh_suspect_strategy(enum dh_sched_candidate_kind kind)
{
	return kinds[kind].strategy;
}

void dh_failing_release(struct dh_failing *f)
{
	free(f->steps);
	free(f->outcome);
	*f = (struct dh_failing){0};
}

void dh_suspects_release(struct dh_suspects *s)
{
	for (size_t i = 0; i < s->n; i++) {
		dh_failing_release(&s->items[i]->failing);
		dh_finding_free(s->items[i]->from);
		free(s->items[i]);
	}
	free(s->items);
	*s = (struct dh_suspects){0};
}

struct dh_suspect *dh_suspects_new(struct dh_suspects *s, enum dh_sched_candidate_kind kind)
{
	struct dh_suspect *n = dh_new(struct dh_suspect);

	n->kind = kind;
	DH_GROW(s->items, s->n, s->cap);
	s->items[s->n++] = n;
	return n;
}

bool dh_suspect_target(struct dh_suspect *s, uint64_t pc, enum dh_sched_role role, uint16_t index,
	const struct dh_symbols *sym)
{
	struct dh_sched_target t = {.role = (uint8_t)role, .index = index, .pc = pc};

	if (dh_symbols_place(sym, pc, &t.module, &t.offset) < 0)
		return false;
	for (size_t i = 0; i < s->n_targets; i++) {
		if (s->targets[i].pc == pc && s->targets[i].role == t.role)
			return true;
	}
	if (s->n_targets == DH_SUSPECT_TARGETS)
		return false;
	s->targets[s->n_targets++] = t;
	return true;
}

/* A statement: its line where that is known, else its address. */
static uint64_t statement(struct dh_symbols *sym, const struct dh_sched_site *site)
{
	const struct dh_frame *f = dh_symbols_at(sym, site->pc);
	uint64_t h = site->pc;

	if (f->file && f->line)
		h = XXH3_64bits_withSeed(f->file, strlen(f->file), f->line);
	return h * 31 + site->role;
}

static int compare_ids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The variable, without the subscripts of arrays: several may be accessed in one line.  0: not
 * known. */
static uint64_t variable_of(struct dh_symbols *sym, const struct dh_sched_candidate *c)
{
	const char *name =
		c->kind == DH_CAND_DEADLOCK ? NULL : dh_symbols_variable(sym, c->site[0].address);
	uint64_t h = 0;

	for (; name && *name; name++) {
		if (!isdigit((unsigned char)*name))
			h = (h ^ (unsigned char)*name) * 1099511628211u;
	}
	return h;
}

/* The statements as a set: a race of (a, b) is the race of (b, a). */
static uint64_t id_of(struct dh_symbols *sym, const struct dh_sched_candidate *c)
{
	uint64_t part[DH_SCHED_SITES_MAX];

	for (uint32_t i = 0; i < c->nsites; i++)
		part[i] = statement(sym, &c->site[i]);
	qsort(part, c->nsites, sizeof(*part), compare_ids);
	return XXH3_64bits_withSeed(part, c->nsites * sizeof(*part), c->kind ^ variable_of(sym, c));
}

static struct dh_suspect *find(const struct dh_suspects *s, uint64_t id)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->items[i]->id == id)
			return s->items[i];
	}
	return NULL;
}

static bool sound(const struct dh_sched_candidate *c)
{
	if (c->kind == DH_CAND_MISUSE &&
		(c->sub < DH_SUB_NOT_HELD || c->sub > DH_SUB_DESTROY_WAITED))
		return false;
	return c->kind > DH_CAND_NONE && c->kind < DH_CAND_COUNT && c->nsites >= 1;
}

size_t dh_suspects_add(
	struct dh_suspects *s, const struct dh_sched_candidate *c, size_t n, struct dh_symbols *sym)
{
	size_t added = 0;

	for (size_t i = 0; i < n; i++) {
		struct dh_suspect *known;
		uint64_t id;

		if (!sound(&c[i]))
			continue;
		id = id_of(sym, &c[i]);
		known = find(s, id);
		if (!known) {
			known = dh_suspects_new(s, c[i].kind);
			known->id = id;
			known->seen = c[i];
			known->predicted = true;
			added++;
		} else {
			known->seen.hits += c[i].hits;
		}
		for (uint32_t k = 0; k < c[i].nsites; k++) {
			if (c[i].site[k].role == DH_TARGET_NONE || !c[i].site[k].pc)
				continue;
			dh_suspect_target(
				known, c[i].site[k].pc, c[i].site[k].role, (uint16_t)k, sym);
		}
	}
	return added;
}

/* Two accesses in different calls seldom belong together. */
static unsigned urgency(const struct dh_suspect *s)
{
	return kinds[s->kind].urgency +
	       (s->kind == DH_CAND_ATOMICITY && s->seen.score < LIKELY ? 1 : 0);
}

static int compare(const void *a, const void *b)
{
	const struct dh_suspect *x = *(struct dh_suspect *const *)a;
	const struct dh_suspect *y = *(struct dh_suspect *const *)b;

	if (urgency(x) != urgency(y))
		return urgency(x) < urgency(y) ? -1 : 1;
	if (x->seen.score != y->seen.score)
		return x->seen.score > y->seen.score ? -1 : 1;
	if (x->seen.hits != y->seen.hits)
		return x->seen.hits > y->seen.hits ? -1 : 1;
	return compare_ids(&x->id, &y->id);
}

void dh_suspects_sort(struct dh_suspects *s)
{
	if (s->n)
		qsort(s->items, s->n, sizeof(*s->items), compare);
}

double dh_suspect_score(const struct dh_suspect *s)
{
	return ((double)s->failed * 10 + (double)s->created * 5) / (double)DH_MAX(s->tries, 1u);
}

static int compare_scores(const void *a, const void *b)
{
	const struct dh_suspect *x = *(struct dh_suspect *const *)a;
	const struct dh_suspect *y = *(struct dh_suspect *const *)b;
	double p = dh_suspect_score(x), q = dh_suspect_score(y);

	if (!x->failed != !y->failed)
		return x->failed ? -1 : 1;
	return p > q ? -1 : p < q ? 1 : compare(a, b);
}

void dh_suspects_rank(struct dh_suspects *s)
{
	if (s->n)
		qsort(s->items, s->n, sizeof(*s->items), compare_scores);
}

enum dh_level dh_suspect_level(const struct dh_suspect *s, uint64_t budget)
{
	if (s->failed)
		return DH_LEVEL_HARMFUL;
	if (s->kind == DH_CAND_MISUSE)
		return DH_LEVEL_CONFIRMED;
	if (s->created) {
		/* Benign only when neither order makes a difference, and all the tries agree.  The
		 * undisturbed run had the other order of what is no race. */
		bool both = s->kind != DH_CAND_RACE || (s->orders[0] && s->orders[1]);

		if (both && !s->differed && s->tries >= budget)
			return DH_LEVEL_BENIGN;
		/* Whether a sequence was meant to be one, or an order to be kept, only harm tells:
		 * a database has a thousand sections under one lock that others come between. */
		return s->kind == DH_CAND_ATOMICITY || s->kind == DH_CAND_ORDER
			       ? DH_LEVEL_OBSERVED
			       : DH_LEVEL_CONFIRMED;
	}
	/* Runs that say nothing refute nothing. */
	return s->tries >= budget && s->undecided * 2 < s->tries ? DH_LEVEL_REFUTED
								 : DH_LEVEL_PREDICTED;
}

bool dh_suspect_decided(const struct dh_suspect *s, uint64_t budget)
{
	return s->tries >= budget || (s->failed && s->tries >= DH_MIN(budget, DH_SUSPECT_ENOUGH));
}
