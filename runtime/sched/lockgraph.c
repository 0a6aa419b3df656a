#include "sched/lockgraph.h"

#include <stddef.h>

#include "sched/lockset.h"
#include "sched/pool.h"
#include "sched/table.h"

#define REQUESTS_MAX 4096u
#define STEPS_MAX    2000000u /* of the search, all in all */

/* When a request was made: for the first time, and for the last. */
struct moment {
	uint32_t clock;
	struct dh_vc vc;
};

struct edge {
	struct dh_request r;
	struct moment when[2];
};

static struct edge *edges;
static uint32_t nedges, edges_cap;
static uint64_t lost;
static struct dh_table by_request;

static uint64_t hash_of(const struct dh_request *r)
{
	uint64_t h = dh_mix2(r->thread, r->lock << 1 | r->shared);

	return dh_mix2(dh_mix2(h, r->held), r->pc) | 1;
}

static void set_moment(struct moment *m, uint32_t slot, const struct dh_vc *vc)
{
	m->clock = dh_vc_get(vc, slot);
	dh_vc_copy(&m->vc, vc);
}

bool dh_lockgraph_known(const struct dh_request *r, const struct dh_vc *vc)
{
	const uint64_t *v = dh_table_find(&by_request, hash_of(r));
	struct edge *e;

	if (!v)
		return false;
	e = &edges[*v - 1];
	if (e->when[1].clock != dh_vc_get(vc, r->slot))
		set_moment(&e->when[1], r->slot, vc);
	return true;
}

void dh_lockgraph_add(const struct dh_request *r, const struct dh_vc *vc)
{
	if (dh_lockgraph_known(r, vc))
		return;
	if (nedges == REQUESTS_MAX) {
		lost++;
		return;
	}
	edges = dh_pool_grow(edges, &edges_cap, nedges + 1, sizeof *edges);
	edges[nedges] = (struct edge){.r = *r};
	set_moment(&edges[nedges].when[0], r->slot, vc);
	set_moment(&edges[nedges].when[1], r->slot, vc);
	*dh_table_add(&by_request, hash_of(r)) = ++nedges;
}

static bool before(const struct moment *a, uint32_t slot, const struct moment *b)
{
	return dh_vc_get(&b->vc, slot) >= a->clock;
}

static bool concurrent(const struct edge *a, const struct edge *b)
{
	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < 2; j++) {
			if (!before(&a->when[i], a->r.slot, &b->when[j]) &&
				!before(&b->when[j], b->r.slot, &a->when[i]))
				return true;
		}
	}
	return false;
}

/* Somebody who asks as `a` does has to wait for somebody who holds what `b` holds. */
static bool waits_for(const struct edge *a, const struct edge *b)
{
	uint32_t n;
	const uint32_t *m = dh_lockset_members(b->r.held, &n);

	for (uint32_t i = 0; i < n; i++) {
		if (m[i] >> 1 == a->r.lock && !(a->r.shared && (m[i] & 1)))
			return true;
	}
	return false;
}

struct search {
	uint32_t path[DH_CYCLE_MAX];
	uint32_t depth, limit;
	uint32_t steps;
	void (*found)(const struct dh_request **member, uint32_t n, void *arg);
	void *arg;
};

static bool fits(const struct search *s, uint32_t candidate)
{
	const struct edge *c = &edges[candidate];

	for (uint32_t i = 0; i < s->depth; i++) {
		const struct edge *e = &edges[s->path[i]];

		if (e->r.thread == c->r.thread || dh_lockset_protects(e->r.held, c->r.held) ||
			!concurrent(e, c))
			return false;
	}
	return true;
}

static void tell(const struct search *s)
{
	const struct dh_request *member[DH_CYCLE_MAX];

	for (uint32_t i = 0; i < s->depth; i++)
		member[i] = &edges[s->path[i]].r;
	s->found(member, s->depth, s->arg);
}

/* The first member has the smallest number, so that each cycle is met once. */
static void extend(struct search *s)
{
	const struct edge *last = &edges[s->path[s->depth - 1]];

	if (s->depth == s->limit) {
		if (waits_for(last, &edges[s->path[0]]))
			tell(s);
		return;
	}
	for (uint32_t i = s->path[0] + 1; i < nedges && s->steps < STEPS_MAX; i++) {
		s->steps++;
		if (!waits_for(last, &edges[i]) || !fits(s, i))
			continue;
		s->path[s->depth++] = i;
		extend(s);
		s->depth--;
	}
}

uint64_t dh_lockgraph_cycles(
	void (*found)(const struct dh_request **member, uint32_t n, void *arg), void *arg)
{
	struct search s = {.found = found, .arg = arg};

	for (s.limit = 2; s.limit <= DH_CYCLE_MAX; s.limit++) {
		for (uint32_t i = 0; i < nedges; i++) {
			s.path[0] = i;
			s.depth = 1;
			extend(&s);
		}
	}
	return lost + (s.steps >= STEPS_MAX);
}

void dh_lockgraph_reset(void)
{
	for (uint32_t i = 0; i < nedges; i++) {
		dh_vc_release(&edges[i].when[0].vc);
		dh_vc_release(&edges[i].when[1].vc);
	}
	dh_pool_free(edges, edges_cap * sizeof *edges);
	edges = NULL;
	nedges = edges_cap = 0;
	lost = 0;
	dh_table_release(&by_request);
}
