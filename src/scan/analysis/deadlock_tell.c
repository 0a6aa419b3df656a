/* The places of a deadlock: where each thread waits, and where it took what it holds. */
#include <string.h>

#include "base/buf.h"
#include "scan/analysis/deadlock.h"
#include "scan/analysis/run.h"
#include "scan/analysis/words.h"

bool dh_scan_is_end(struct dh_scan_run *run, uint32_t lock)
{
	return dh_sym_kind(&run->syms, run->locks[lock].node) == DH_SYM_THREAD;
}

static void add_sides(
	struct dh_scan_run *run, struct dh_finding *f, const uint32_t *cycle, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct dh_scan_order_edge *e = &run->edges[cycle[i]];
		uint32_t held = dh_lockset_of(run->sets, &e->held, 1);
		struct dh_buf a DH_BUF = DH_BUF_INIT, b DH_BUF = DH_BUF_INIT;
		struct dh_site s = {
			.role = "wants", .who = dh_scan_thread_name(run, f, e->thread, e->context)};
		struct dh_frame from;

		dh_scan_frame_of(run, e->fn, e->stmt, &s.at);
		dh_scan_frame_of(run, e->from_fn, e->from_stmt, &from);
		if (!dh_scan_is_end(run, e->held))
			dh_scan_set_text(run, f, held, &s.locks, &s.n_locks);
		dh_scan_stack_of(run, f, e->context, e->fn, e->stmt, &s.stack);
		dh_finding_add_site(f, &s);
		dh_buf_adds(&a, "lock ");
		dh_scan_var_name(run, run->locks[e->held].node, &a);
		dh_buf_adds(&b, e->again ? "take back " : "wait for ");
		dh_scan_var_name(run, run->locks[e->taken].node, &b);
		dh_finding_add_step(f, &(struct dh_step){.lane = s.who,
					       .kind = DH_STEP_LOCK,
					       .label = dh_buf_str(&a),
					       .file = from.file,
					       .line = from.line,
					       .site = -1});
		dh_finding_add_step(f, &(struct dh_step){.lane = s.who,
					       .kind = DH_STEP_WAIT,
					       .label = dh_buf_str(&b),
					       .file = s.at.file,
					       .line = s.at.line,
					       .site = (int)i});
	}
}

static bool has_place(const struct dh_finding *f, const struct dh_site *s)
{
	for (size_t i = 0; i < f->n_sites; i++) {
		const struct dh_site *o = &f->sites[i];

		if (strcmp(o->role, s->role) == 0 && o->at.line == s->at.line &&
			strcmp(o->at.file ? o->at.file : "", s->at.file ? s->at.file : "") == 0)
			return true;
	}
	return false;
}

/* Where each took what it holds, behind the places where they wait: those are what a schedule needs
 * to make it happen. */
static void add_holds(
	struct dh_scan_run *run, struct dh_finding *f, const uint32_t *cycle, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct dh_scan_order_edge *e = &run->edges[cycle[i]];
		uint32_t held = dh_lockset_of(run->sets, &e->held, 1);
		struct dh_site s = {
			.role = "holds", .who = dh_scan_thread_name(run, f, e->thread, e->context)};

		if (dh_scan_is_end(run, e->held))
			continue;
		dh_scan_frame_of(run, e->from_fn, e->from_stmt, &s.at);
		dh_scan_set_text(run, f, held, &s.locks, &s.n_locks);
		if (!has_place(f, &s))
			dh_finding_add_site(f, &s);
	}
}

void dh_scan_deadlock_sites(
	struct dh_scan_run *run, struct dh_finding *f, const uint32_t *cycle, uint32_t n)
{
	add_sides(run, f, cycle, n);
	add_holds(run, f, cycle, n);
}
