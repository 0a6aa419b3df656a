/* Unknown lock functions: pairs of functions that are called one behind the other on the same
 * object far more often than one alone (RacerX 8.6).  Names that sound like it and one source file
 * make a pair more likely. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/alloc.h"
#include "scan/analysis/find.h"
#include "scan/analysis/run.h"
#include "scan/analysis/stats.h"
#include "scan/analysis/words.h"

/* Calls of one function that are looked at, and pairs that are told. */
#define MAX_CALLS 400
#define MAX_TOLD  20

struct pair {
	uint32_t a, b;     /* symbols */
	uint32_t together; /* functions that call both, a first */
	uint32_t fn, stmt; /* an example */
	double score;
};

struct pairs {
	struct pair *rows;
	uint32_t n, cap;
	struct dh_map index;
	uint32_t *calls; /* by symbol: places that call it first with an object */
};

static const char *name_of(const struct dh_scan_run *run, uint32_t symbol)
{
	return dh_scan_text(run->p, run->p->symbols[symbol].name);
}

/* Whether the names differ as those of lock functions do. */
static bool sounds_like_pair(const char *a, const char *b)
{
	static const char *const words[][2] = {{"lock", "unlock"}, {"acquire", "release"},
		{"enter", "leave"}, {"enter", "exit"}, {"disable", "enable"}, {"begin", "end"},
		{"grab", "drop"}, {"wait", "signal"}};

	for (size_t i = 0; i < DH_ARRAY_SIZE(words); i++)
		if (strcasestr(a, words[i][0]) && strcasestr(b, words[i][1]) &&
			!strcasestr(a, words[i][1]))
			return true;
	return false;
}

static bool is_candidate(struct dh_scan_run *run, const struct dh_scan_stmt *s, uint32_t *ret)
{
	*ret = s->op == DH_SCAN_CALLS && s->n_args >= 1 ? dh_scan_callee(run->p, s) : 0;
	return *ret && !dh_scan_rule_of(run, *ret);
}

static void note_pair(struct dh_scan_run *run, struct pairs *p, uint32_t a, uint32_t b, uint32_t fn,
	uint32_t stmt)
{
	uint64_t key = (uint64_t)a << 32 | b, no;

	(void)run;
	if (!dh_map_get(&p->index, key, &no)) {
		no = p->n;
		dh_map_set(&p->index, key, no);
		DH_GROW(p->rows, p->n, p->cap);
		p->rows[p->n++] = (struct pair){.a = a, .b = b, .fn = fn, .stmt = stmt};
	}
	p->rows[no].together++;
}

/* Each call, and the next one behind it on the same object. */
static void look_at(struct dh_scan_run *run, struct pairs *p, uint32_t fn)
{
	const struct dh_scan_function *f = run->p->functions[fn];
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->n_stmts && n < MAX_CALLS; i++) {
		uint32_t a, b, object;

		if (!is_candidate(run, &f->stmts[i], &a))
			continue;
		n++;
		object = dh_scan_args(f, &f->stmts[i])[0];
		if (!object)
			continue;
		p->calls[a]++;
		for (uint32_t j = i + 1; j < f->n_stmts && j < i + 200; j++) {
			if (!is_candidate(run, &f->stmts[j], &b) || b == a ||
				dh_scan_args(f, &f->stmts[j])[0] != object)
				continue;
			note_pair(run, p, a, b, fn, i);
			break;
		}
	}
}

static int by_score(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return x->score != y->score ? (x->score < y->score) - (x->score > y->score)
				    : (x->a > y->a) - (x->a < y->a);
}

static void tell(struct dh_scan_run *run, const struct pair *r, uint32_t calls)
{
	struct dh_finding *f = dh_finding_new(DH_KIND_LOCK_MISUSE);
	struct dh_site s = {.role = "acquires"};

	dh_finding_set_title(f, "%s and %s look like a pair of lock functions", name_of(run, r->a),
		name_of(run, r->b));
	dh_finding_add_reason(f, "%u of %u calls of %s are followed by %s on the same object",
		r->together, calls, name_of(run, r->a), name_of(run, r->b));
	dh_finding_add_reason(f,
		"if they are, add \"acquire %s 1\" and \"release %s 1\" to a --config file",
		name_of(run, r->a), name_of(run, r->b));
	dh_scan_frame_of(run, r->fn, r->stmt, &s.at);
	dh_finding_add_site(f, &s);
	dh_finding_add_evidence(
		f, &(struct dh_evidence){
			   .level = DH_LEVEL_PREDICTED, .by = "scan", .when = time(NULL)});
	f->score = -1;
	dh_finding_seal(f);
	dh_findings_add(&run->findings, f);
}

void dh_scan_infer_locks(struct dh_scan_run *run)
{
	struct pairs p = {.calls = dh_zalloc((run->p->n_symbols + 1) * sizeof(uint32_t))};
	uint32_t told = 0;

	for (uint32_t i = 1; i < run->p->n_functions; i++)
		look_at(run, &p, i);
	for (uint32_t i = 0; i < p.n; i++) {
		struct pair *r = &p.rows[i];
		const struct dh_scan_symbol *a = &run->p->symbols[r->a],
					    *b = &run->p->symbols[r->b];

		r->score = dh_scan_z(r->together, p.calls[r->a], 0.8);
		r->score += sounds_like_pair(name_of(run, r->a), name_of(run, r->b)) ? 5 : -2;
		r->score += a->file && a->file == b->file ? 1 : 0;
	}
	if (p.n)
		qsort(p.rows, p.n, sizeof(*p.rows), by_score);
	for (uint32_t i = 0; i < p.n && told < MAX_TOLD && p.rows[i].score > 2; i++)
		if (p.rows[i].together > 1) {
			tell(run, &p.rows[i], p.calls[p.rows[i].a]);
			told++;
		}
	free(p.rows);
	free(p.calls);
	dh_map_release(&p.index);
}
