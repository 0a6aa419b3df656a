/* Races as findings: both sides, how one gets there, and why it is worth a look. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "scan/analysis/race.h"
#include "scan/analysis/score.h"
#include "scan/analysis/words.h"

/* Sites of one finding: the two sides, then other places that take part. */
#define MAX_SITES 40

static void add_site(
	struct dh_scan_run *run, struct dh_finding *f, const char *role, uint32_t access)
{
	const struct dh_scan_access *a = &run->accesses[access];
	struct dh_site s = {.role = role};

	dh_scan_frame_of(run, a->fn, a->stmt, &s.at);
	s.access.kind = !(a->flags & DH_SA_WRITE) ? DH_ACCESS_READ
			: a->flags & DH_SA_UPDATE ? DH_ACCESS_UPDATE
						  : DH_ACCESS_WRITE;
	s.access.size = a->size;
	s.access.atomic = a->flags & DH_SA_ATOMIC;
	s.who = dh_scan_thread_name(run, f, a->thread, a->context);
	dh_scan_set_text(run, f, a->locks, &s.locks, &s.n_locks);
	dh_scan_stack_of(run, f, a->context, a->fn, a->stmt, &s.stack);
	dh_finding_add_site(f, &s);
}

static bool has_line(
	const struct dh_finding *f, const struct dh_frame *at, enum dh_access_kind kind)
{
	for (size_t i = 0; i < f->n_sites; i++)
		if (f->sites[i].at.line == at->line && !strcmp(f->sites[i].at.file, at->file) &&
			(i < 2 || f->sites[i].access.kind == kind || kind == DH_ACCESS_READ))
			return true;
	return false;
}

static void add_others(struct dh_scan_run *run, struct dh_finding *f, const struct dh_scan_race *r)
{
	for (uint32_t i = 1; i < r->n_pairs && f->n_sites < MAX_SITES; i++) {
		uint32_t sides[2] = {r->pairs[i].a, r->pairs[i].b};

		for (int k = 0; k < 2; k++) {
			const struct dh_scan_access *a = &run->accesses[sides[k]];
			struct dh_frame at;

			dh_scan_frame_of(run, a->fn, a->stmt, &at);
			if (!has_line(f, &at, DH_ACCESS_READ))
				add_site(run, f, "also", sides[k]);
		}
	}
}

static int by_weight(const void *a, const void *b, void *arg)
{
	const struct dh_scan_reason *x = a, *y = b;
	double p = fabs(dh_scan_score(arg, x->score)), q = fabs(dh_scan_score(arg, y->score));

	return p != q ? (p < q) - (p > q) : (x->score > y->score) - (x->score < y->score);
}

static void add_example(struct dh_scan_run *run, struct dh_finding *f, const struct dh_scan_race *r)
{
	const char **locks;
	struct dh_frame at;
	size_t n;

	dh_scan_frame_of(run, r->example_fn, r->example_stmt, &at);
	dh_scan_set_text(run, f, r->example_locks, &locks, &n);
	dh_finding_add_reason(f, "compare %s:%u in %s, which holds %s%s", at.file, at.line,
		at.function, n ? locks[0] : "a lock", n > 1 ? " and others" : "");
}

/* The weightiest first. */
static void add_reasons(struct dh_scan_run *run, struct dh_finding *f, const struct dh_scan_race *r)
{
	qsort_r(r->reasons, r->n_reasons, sizeof(*r->reasons), by_weight, run->table);
	for (uint32_t i = 0; i < r->n_reasons; i++) {
		const struct dh_scan_reason *w = &r->reasons[i];
		double points = dh_scan_score(run->table, w->score);
		char text[256];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(text, sizeof(text), dh_scan_score_words(w->score), w->n, w->m);
#pragma GCC diagnostic pop
		dh_finding_add_reason(f, "%s (%+.0f)", text, points);
	}
	if (r->n_members)
		dh_finding_add_reason(f, "the same code races on %u more: %s%s", r->n_members,
			dh_buf_str((struct dh_buf *)&r->members), r->n_members > 6 ? ", ..." : "");
	if (r->example_fn)
		add_example(run, f, r);
}

static enum dh_kind kind_of(struct dh_scan_run *run, const struct dh_scan_race *r)
{
	const struct dh_scan_access *a = &run->accesses[r->pairs[0].a],
				    *b = &run->accesses[r->pairs[0].b];

	return run->threads[a->thread].kind == DH_THREAD_SIGNAL ||
			       run->threads[b->thread].kind == DH_THREAD_SIGNAL
		       ? DH_KIND_SIGNAL_RACE
		       : DH_KIND_DATA_RACE;
}

static void name_variable(
	struct dh_scan_run *run, struct dh_finding *f, const struct dh_scan_race *r)
{
	const struct dh_scan_program *p = run->p;
	struct dh_buf b = DH_BUF_INIT;

	if (r->bucket.place) {
		dh_scan_var_name(run, r->bucket.place, &b);
	} else {
		const struct dh_scan_field *m = &p->fields[r->bucket.field];

		dh_buf_addf(&b, "%s.%s", dh_scan_text(p, p->types[m->owner].name),
			dh_scan_text(p, m->name));
	}
	f->variable = dh_finding_strdup(f, dh_buf_str(&b));
	dh_buf_release(&b);
}

void dh_scan_tell_race(struct dh_scan_run *run, const struct dh_scan_race *r)
{
	struct dh_finding *f = dh_finding_new(kind_of(run, r));
	const struct dh_scan_access *a = &run->accesses[r->pairs[0].a],
				    *b = &run->accesses[r->pairs[0].b];
	bool mixed = (a->flags ^ b->flags) & DH_SA_ATOMIC;

	name_variable(run, f, r);
	dh_finding_set_title(f, "%s on %s",
		f->kind == DH_KIND_SIGNAL_RACE ? run->kernel ? "race with an interrupt handler"
							     : "race with a signal handler"
		: mixed                        ? "plain and atomic access"
					       : "data race",
		f->variable);
	f->score = r->score;
	add_reasons(run, f, r);
	add_site(run, f, "first", r->pairs[0].a);
	add_site(run, f, "second", r->pairs[0].b);
	add_others(run, f, r);
	dh_finding_add_evidence(
		f, &(struct dh_evidence){
			   .level = DH_LEVEL_PREDICTED, .by = "scan", .when = time(NULL)});
	dh_finding_seal(f);
	dh_findings_add(&run->findings, f);
}
