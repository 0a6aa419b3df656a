/* Deadlocks: cycles of "held while acquiring" (RacerX section 4), of two to n threads.  Each link
 * of a cycle must be able to happen while the others do, and no lock that all of them hold may keep
 * them apart. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "scan/analysis/deadlock.h"
#include "scan/analysis/find.h"
#include "scan/analysis/run.h"
#include "scan/analysis/value.h"
#include "scan/analysis/words.h"

#define MAX_CYCLE   8
#define MAX_REPORTS 500
/* Ways to go from one lock to another that are looked at. */
#define MAX_WAYS 12
/* Steps of the search for cycles through one lock. */
#define MAX_SEARCH 200000

/* A lock in the graph: an object, or a member of objects that are not told apart. */
struct vertex {
	uint64_t key;
	bool exact;    /* of which there is one */
	uint32_t *out; /* edges, by edge number */
	uint32_t n_out, cap_out;
	uint32_t *in; /* vertices with an edge to this one, once each */
	uint32_t n_in, cap_in;
	uint32_t away; /* edges from here to where the search began; UINT32_MAX: too many */
};

struct graph {
	struct vertex *v;
	uint32_t n, cap;
	struct dh_map index;
	uint32_t *from, *to; /* edge -> vertices */
	uint32_t budget, length;
	struct dh_map chords; /* two vertices -> length of the cycle that both are told of in */
	uint32_t *near;       /* vertices from which the beginning can be reached */
	uint32_t n_near, cap_near;
	struct dh_map told;
	uint32_t n_told;
};

static uint32_t vertex_of(struct dh_scan_run *run, struct graph *g, uint32_t lock)
{
	uint32_t node = run->locks[lock].node, places[2];
	bool exact = dh_scan_lock_is_unique(run, lock);
	uint64_t key = node, no;

	if (!exact) {
		uint32_t n = dh_scan_resolve(run, node, places, 2),
			 field = dh_sym_last_field(run->p, node);

		key = field    ? UINT64_C(1) << 32 | field
		      : n == 1 ? UINT64_C(1) << 33 | places[0]
			       : node;
	}
	if (dh_map_get(&g->index, key, &no))
		return (uint32_t)no;
	dh_map_set(&g->index, key, g->n);
	DH_GROW(g->v, g->n, g->cap);
	g->v[g->n] = (struct vertex){.key = key, .exact = exact, .away = UINT32_MAX};
	return g->n++;
}

/* Simpler links first, so that cycles are told in their simplest form. */
static int by_difficulty(const void *a, const void *b, void *arg)
{
	const struct dh_scan_order_edge *edges = arg;
	const struct dh_scan_order_edge *x = &edges[*(const uint32_t *)a],
					*y = &edges[*(const uint32_t *)b];
	uint32_t dx = x->conds + 3u * x->calls, dy = y->conds + 3u * y->calls;

	return dx != dy ? (dx > dy) - (dx < dy)
			: (*(const uint32_t *)a > *(const uint32_t *)b) -
				  (*(const uint32_t *)a < *(const uint32_t *)b);
}

static void note_way(struct graph *g, struct dh_map *ways, uint32_t from, uint32_t to)
{
	struct vertex *v = &g->v[to];
	uint64_t way = (uint64_t)from << 32 | to;

	if (dh_map_get(ways, way, NULL))
		return;
	dh_map_set(ways, way, 1);
	DH_GROW(v->in, v->n_in, v->cap_in);
	v->in[v->n_in++] = from;
}

static void make_graph(struct dh_scan_run *run, struct graph *g)
{
	struct dh_map ways = DH_MAP_INIT;

	g->from = dh_new_n(uint32_t, run->n_edges + 1);
	g->to = dh_new_n(uint32_t, run->n_edges + 1);
	for (uint32_t i = 0; i < run->n_edges; i++) {
		g->from[i] = vertex_of(run, g, run->edges[i].held);
		g->to[i] = vertex_of(run, g, run->edges[i].taken);
		struct vertex *v = &g->v[g->from[i]];

		/* Who only tries does not wait. */
		if (run->edges[i].try)
			continue;
		DH_GROW(v->out, v->n_out, v->cap_out);
		v->out[v->n_out++] = i;
		note_way(g, &ways, g->from[i], g->to[i]);
	}
	for (uint32_t i = 0; i < g->n; i++)
		if (g->v[i].n_out)
			qsort_r(g->v[i].out, g->v[i].n_out, sizeof(uint32_t), by_difficulty,
				run->edges);
	dh_map_release(&ways);
}

static void put_near(struct graph *g, uint32_t vertex, uint32_t away)
{
	if (g->v[vertex].away != UINT32_MAX)
		return;
	g->v[vertex].away = away;
	DH_GROW(g->near, g->n_near, g->cap_near);
	g->near[g->n_near++] = vertex;
}

/* How far it is to the lock where the search begins, backwards and in breadth: other ways need not
 * be tried.  Cycles through smaller numbers were found from there. */
static void measure(struct graph *g, uint32_t start)
{
	for (uint32_t i = 0; i < g->n_near; i++)
		g->v[g->near[i]].away = UINT32_MAX;
	g->n_near = 0;
	put_near(g, start, 0);
	for (uint32_t i = 0; i < g->n_near; i++) {
		const struct vertex *v = &g->v[g->near[i]];

		for (uint32_t k = 0; k < v->n_in && v->away + 1 < g->length; k++)
			if (v->in[k] > start)
				put_near(g, v->in[k], v->away + 1);
	}
}

static struct dh_scan_when when(const struct dh_scan_order_edge *e)
{
	return (struct dh_scan_when){
		e->thread, e->live, e->joined, e->waited, e->signalled, e->others};
}

/* A third lock that both hold keeps them apart. */
static bool have_gate(struct dh_scan_run *run, const struct dh_scan_order_edge *a,
	const struct dh_scan_order_edge *b)
{
	size_t n;

	dh_lockset_locks(run->sets, a->others, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t l = dh_lockset_locks(run->sets, a->others, &n)[i];

		if (run->locks[l].read || !dh_scan_lock_is_unique(run, l) || l == a->taken ||
			l == b->taken || dh_scan_lock_is_local(run, l))
			continue;
		if (dh_lockset_contains(run->sets, b->others, l))
			return true;
	}
	return false;
}

static bool can_meet(struct dh_scan_run *run, uint32_t i, uint32_t j)
{
	const struct dh_scan_order_edge *a = &run->edges[i], *b = &run->edges[j];
	struct dh_scan_when wa = when(a), wb = when(b);

	return dh_scan_parallel(run, &wa, &wb) && !have_gate(run, a, b);
}

/* Whether who wants the lock must wait for who holds it. */
static bool waits(const struct dh_scan_run *run, uint32_t wants, uint32_t holds)
{
	return !(run->locks[run->edges[wants].taken].read &&
		 run->locks[run->edges[holds].held].read);
}

static uint32_t count_inexact(const struct graph *g, const uint32_t *cycle, uint32_t n)
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < n; i++)
		k += !g->v[g->from[cycle[i]]].exact;
	return k;
}

static void add_reasons(struct dh_scan_run *run, struct dh_finding *f, const struct graph *g,
	const uint32_t *cycle, uint32_t n)
{
	uint32_t inexact = count_inexact(g, cycle, n), easiest = UINT32_MAX, upward = 0;
	bool ends = false;

	for (uint32_t i = 0; i < n; i++) {
		const struct dh_scan_order_edge *e = &run->edges[cycle[i]];

		easiest = DH_MIN(easiest, e->conds + 3u * e->calls);
		upward += e->upward;
		ends |= dh_scan_is_end(run, e->taken);
		if (e->again)
			dh_finding_add_reason(f, "the condition's lock is released and taken back");
	}
	if (ends)
		dh_finding_add_reason(
			f, "who waits for the thread holds what it needs before it can end");
	else
		dh_finding_add_reason(f, "%u threads take the same locks in different orders", n);
	if (inexact)
		dh_finding_add_reason(f, "%u of the locks %s known by the type of %s only", inexact,
			inexact > 1 ? "are" : "is", inexact > 1 ? "their objects" : "its object");
	else
		dh_finding_add_reason(f, "every lock is known exactly");
	if (easiest)
		dh_finding_add_reason(f,
			"%u conditions and calls (a call counts as three) lie between the locks",
			easiest);
	/* What both ways of propagation say is most likely so (RacerX 6.4). */
	if (upward)
		dh_finding_add_reason(
			f, "%u of the locks came from a function that had returned", upward);
	/* Threads, then locks that are not certain, then how far apart: RacerX 4.2. */
	f->score = 10 - 2.0 * (n - 2) - 1.5 * inexact - DH_MIN(easiest, 20) * 0.1 - 2.0 * upward;
}

static uint64_t cycle_key(const struct graph *g, const uint32_t *cycle, uint32_t n)
{
	uint64_t key = n;

	/* The same locks are one deadlock, in however many places. */
	for (uint32_t i = 0; i < n; i++) {
		uint64_t v = g->v[g->from[cycle[i]]].key * UINT64_C(0x9e3779b97f4a7c15);

		key += v ^ v >> 29;
	}
	return key;
}

static uint64_t chord(uint32_t a, uint32_t b)
{
	return (uint64_t)DH_MIN(a, b) << 32 | DH_MAX(a, b);
}

static void note_chords(struct graph *g, const uint32_t *cycle, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < i; j++) {
			uint64_t pair = chord(g->from[cycle[i]], g->from[cycle[j]]);

			if (!dh_map_get(&g->chords, pair, NULL))
				dh_map_set(&g->chords, pair, n);
		}
}

/* Whether a shorter cycle is told that has two of the locks: the longer one says nothing new. */
static bool is_shorter_told(
	const struct graph *g, const uint32_t *cycle, uint32_t n, uint32_t vertex)
{
	uint64_t length;

	for (uint32_t i = 0; i < n; i++)
		if (dh_map_get(&g->chords, chord(g->from[cycle[i]], vertex), &length) &&
			length < g->length)
			return true;
	return false;
}

static void tell(struct dh_scan_run *run, struct graph *g, const uint32_t *cycle, uint32_t n)
{
	uint64_t key = cycle_key(g, cycle, n), known = 0;
	struct dh_finding *f;
	struct dh_buf names DH_BUF = DH_BUF_INIT;

	dh_map_get(&g->told, key, &known);
	/* Other places of the same cycle, as long as they are few. */
	if (known >= 4)
		return;
	if (g->n_told >= MAX_REPORTS) {
		run->counts.untold++;
		return;
	}
	dh_map_set(&g->told, key, known + 1);
	note_chords(g, cycle, n);
	g->n_told++;
	f = dh_finding_new(DH_KIND_DEADLOCK);
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			dh_buf_adds(&names, i + 1 == n ? " and " : ", ");
		dh_scan_var_name(run, run->locks[run->edges[cycle[i]].held].node, &names);
	}
	dh_finding_set_title(f, "deadlock of %u threads over %s", n, dh_buf_str(&names));
	f->variable = dh_finding_strdup(f, dh_buf_str(&names));
	add_reasons(run, f, g, cycle, n);
	dh_scan_deadlock_sites(run, f, cycle, n);
	dh_finding_add_evidence(
		f, &(struct dh_evidence){
			   .level = DH_LEVEL_PREDICTED, .by = "scan", .when = time(NULL)});
	dh_finding_seal(f);
	dh_findings_add(&run->findings, f);
}

static bool fits(
	struct dh_scan_run *run, struct graph *g, const uint32_t *cycle, uint32_t n, uint32_t edge)
{
	for (uint32_t i = 0; i < n; i++) {
		if (cycle[i] == edge && !run->threads[run->edges[edge].thread].many)
			return false;
		if (i && g->from[cycle[i]] == g->from[edge])
			return false;
		if (!can_meet(run, cycle[i], edge))
			return false;
	}
	return n == 0 || waits(run, cycle[n - 1], edge);
}

/* Two locks of one kind. */
static bool is_self_cycle(struct dh_scan_run *run, const struct graph *g, uint32_t edge)
{
	const struct dh_scan_order_edge *e = &run->edges[edge];

	return g->from[edge] == g->to[edge] && !g->v[g->from[edge]].exact &&
	       run->locks[e->held].node != run->locks[e->taken].node;
}

/* Whether all take the locks in the order of the same comparison: there is a first one then, and
 * who has the last one waits for nobody. */
static bool are_sorted(const struct dh_scan_run *run, const uint32_t *cycle, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (run->edges[cycle[i]].sorted != run->edges[cycle[0]].sorted)
			return false;
	return run->edges[cycle[0]].sorted != 0;
}

static bool is_new_place(
	const struct dh_scan_run *run, const uint32_t *out, uint32_t i, const struct graph *g)
{
	for (uint32_t j = 0; j < i; j++) {
		const struct dh_scan_order_edge *a = &run->edges[out[i]], *b = &run->edges[out[j]];

		if (a->fn == b->fn && a->stmt == b->stmt && a->thread == b->thread &&
			g->to[out[i]] == g->to[out[j]] && a->live == b->live &&
			a->others == b->others)
			return false;
	}
	return true;
}

/* From the last link on: closes the cycle, or makes it longer. */
static void search(
	struct dh_scan_run *run, struct graph *g, uint32_t start, uint32_t *cycle, uint32_t n)
{
	uint32_t at = g->to[cycle[n - 1]], ways = 0;
	const struct vertex *v = &g->v[at];
	bool last = n + 1 == g->length;

	for (uint32_t i = 0; i < v->n_out && ways < MAX_WAYS * 4; i++) {
		uint32_t e = v->out[i], to = g->to[e];

		if (last ? to != start : to == start || to == at || g->v[to].away >= g->length - n)
			continue;
		if (!g->budget)
			return;
		g->budget--;
		if ((i < 64 && !is_new_place(run, v->out, i, g)) || !fits(run, g, cycle, n, e) ||
			(!last && is_shorter_told(g, cycle, n, to)))
			continue;
		ways++;
		cycle[n] = e;
		if (!last)
			search(run, g, start, cycle, n + 1);
		else if (waits(run, e, cycle[0]) && !are_sorted(run, cycle, n + 1))
			tell(run, g, cycle, n + 1);
	}
}

/* Whom a thread meets that takes two locks of one kind: who does the same with the objects the
 * other way round, and where they were compared, who takes them against that order. */
static uint32_t partner(
	struct dh_scan_run *run, const struct graph *g, const struct vertex *v, uint32_t edge)
{
	if (!run->edges[edge].sorted)
		return edge;
	for (uint32_t i = 0; i < v->n_out && i < MAX_WAYS * 16; i++)
		if (is_self_cycle(run, g, v->out[i]) &&
			run->edges[v->out[i]].sorted == -run->edges[edge].sorted &&
			can_meet(run, edge, v->out[i]))
			return v->out[i];
	return UINT32_MAX;
}

static void try_self(
	struct dh_scan_run *run, struct graph *g, const struct vertex *v, uint32_t edge)
{
	const uint32_t cycle[2] = {edge, g->length == 2 ? partner(run, g, v, edge) : UINT32_MAX};

	if (cycle[1] != UINT32_MAX && can_meet(run, edge, cycle[1]))
		tell(run, g, cycle, 2);
}

static void search_from(struct dh_scan_run *run, struct graph *g, uint32_t start)
{
	uint32_t cycle[MAX_CYCLE];
	const struct vertex *v = &g->v[start];

	measure(g, start);
	g->budget = MAX_SEARCH;
	for (uint32_t i = 0; i < v->n_out && i < MAX_WAYS * 16; i++) {
		uint32_t e = v->out[i], to = g->to[e];

		cycle[0] = e;
		if (is_self_cycle(run, g, e))
			try_self(run, g, v, e);
		else if (to > start && g->v[to].away < g->length &&
			 !is_shorter_told(g, cycle, 1, to))
			search(run, g, start, cycle, 1);
	}
	run->counts.cut_cycles += !g->budget;
}

void dh_scan_find_deadlocks(struct dh_scan_run *run)
{
	struct graph g = {0};

	make_graph(run, &g);
	/* Short ones first, as in RacerX 4.1. */
	for (g.length = 2; g.length <= DH_MIN(run->limits.threads_in_cycle, MAX_CYCLE); g.length++)
		for (uint32_t i = 0; i < g.n; i++)
			search_from(run, &g, i);
	for (uint32_t i = 0; i < g.n; i++) {
		free(g.v[i].out);
		free(g.v[i].in);
	}
	free(g.v);
	free(g.near);
	free(g.from);
	free(g.to);
	dh_map_release(&g.index);
	dh_map_release(&g.told);
	dh_map_release(&g.chords);
}
