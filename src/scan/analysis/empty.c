/* Critical sections that protect nothing (RacerX 8.6): a lock that is given back before anything
 * happened.  Either a variable's name is wrong, or the analysis does not see what is protected. */
#include "base/alloc.h"
#include "scan/analysis/run.h"

/* Longer ones have something in them. */
#define MAX_STEPS  200
#define MAX_BLOCKS 32

struct walk {
	uint32_t lock; /* node */
	uint32_t todo[MAX_BLOCKS];
	uint32_t n, steps;
	bool released;
};

static const struct dh_scan_rule *rule_at(
	struct dh_scan_run *run, const struct dh_scan_function *f, uint32_t stmt)
{
	uint32_t callee = dh_scan_callee(run->p, &f->stmts[stmt]);

	return callee ? dh_scan_rule_of(run, callee) : NULL;
}

/* The argument that is the lock, or the guard; 0: there is none. */
static uint32_t lock_at(
	const struct dh_scan_function *f, uint32_t stmt, const struct dh_scan_rule *r)
{
	const struct dh_scan_stmt *s = &f->stmts[stmt];

	return r->arg[0] && r->arg[0] <= s->n_args ? dh_scan_args(f, s)[r->arg[0] - 1] : 0;
}

/* 1: the lock is given back; 0: nothing that could be protected; -1: something. */
static int look(
	struct dh_scan_run *run, const struct dh_scan_function *f, uint32_t stmt, uint32_t lock)
{
	const struct dh_scan_rule *r;

	switch (f->stmts[stmt].op) {
	case DH_SCAN_ASSIGN:
	case DH_SCAN_BRANCH:
	case DH_SCAN_SWITCH:
		return 0;
	case DH_SCAN_CALLS:
		r = rule_at(run, f, stmt);
		return r && (r->verb == DH_SV_RELEASE || r->verb == DH_SV_UNGUARD) &&
				       lock_at(f, stmt, r) == lock
			       ? 1
			       : -1;
	default:
		return -1;
	}
}

/* Statements from first to the end of the block; false: something is protected there. */
static bool walk_block(struct dh_scan_run *run, const struct dh_scan_function *f, struct walk *w,
	uint32_t block, uint32_t first)
{
	const struct dh_scan_block *b = &f->blocks[block];

	for (uint32_t i = first; i < b->first + b->n; i++) {
		int found = look(run, f, i, w->lock);

		if (found < 0 || ++w->steps > MAX_STEPS)
			return false;
		if (found > 0) {
			w->released = true;
			return true;
		}
	}
	for (uint32_t e = 0; e < b->n_edges; e++) {
		uint32_t to = f->edges[b->edge + e].to, k = 0;

		while (k < w->n && w->todo[k] != to)
			k++;
		if (k == MAX_BLOCKS)
			return false;
		if (k == w->n)
			w->todo[w->n++] = to;
	}
	return b->n_edges > 0;
}

static bool is_empty(struct dh_scan_run *run, const struct dh_scan_function *f, uint32_t stmt)
{
	const struct dh_scan_rule *r = rule_at(run, f, stmt);
	struct walk w = {.lock = r ? lock_at(f, stmt, r) : 0};

	if (!w.lock)
		return false;
	for (uint32_t i = 0; i < f->n_blocks; i++) {
		const struct dh_scan_block *b = &f->blocks[i];

		if (stmt < b->first || stmt >= b->first + b->n)
			continue;
		if (!walk_block(run, f, &w, i, stmt + 1))
			return false;
		break;
	}
	for (uint32_t i = 0; i < w.n; i++)
		if (!walk_block(run, f, &w, w.todo[i], f->blocks[w.todo[i]].first))
			return false;
	return w.released;
}

void dh_scan_check_section(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, uint32_t lock)
{
	uint64_t key = (uint64_t)f->fn << 32 | stmt, empty;

	if (!run->last || dh_scan_is_gate(run, f->thread, lock))
		return;
	if (!dh_map_get(&run->empty_sections, key, &empty)) {
		empty = is_empty(run, f->body, stmt);
		dh_map_set(&run->empty_sections, key, empty);
	}
	if (empty)
		dh_scan_note_mistake(run, f, s, DH_MISTAKE_EMPTY, stmt, lock, 0);
}
