/* Mistakes with locks: taken twice, released without being held, kept on a way out, and sleeping
 * where that is forbidden. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "scan/analysis/find.h"
#include "scan/analysis/run.h"
#include "scan/analysis/words.h"

/* What is said of each kind; %s is the lock. */
static const struct {
	enum dh_kind kind;
	const char *title, *reason, *role;
	double score;
} words[DH_MISTAKE_COUNT] = {
	[DH_MISTAKE_DOUBLE] = {DH_KIND_LOCK_MISUSE, "is acquired while it is held already",
		"it is not recursive, so its holder waits for itself", "acquires again", 8},
	[DH_MISTAKE_NOT_HELD] = {DH_KIND_LOCK_MISUSE, "is released while it is not held",
		"no path to this place has acquired it", "releases", 6},
	[DH_MISTAKE_LEFT] = {DH_KIND_LOCK_MISUSE, "is still held on some way out of the function",
		"other paths release it", "acquires", 6},
	[DH_MISTAKE_ENDED] = {DH_KIND_LOCK_MISUSE, "is still held when its thread ends",
		"nobody else may release it, and whoever wants it waits for ever", "acquires", 6},
	[DH_MISTAKE_BLOCKING] = {DH_KIND_BLOCKING_IN_ATOMIC, "is held while the code may sleep",
		"whoever spins for the lock spins until the sleeper wakes up", "sleeps", 6},
	[DH_MISTAKE_ASSERTION] = {DH_KIND_LOCK_MISUSE, "is not held where the code says that it is",
		"the assertion can fail", "asserts", 6},
	[DH_MISTAKE_REQUIRED] = {DH_KIND_LOCK_MISUSE, "is not held where it is required",
		"the attribute of the function that is called says that its callers hold it",
		"calls", 6},
	[DH_MISTAKE_WAIT] = {DH_KIND_LOCK_MISUSE, "is not held while waiting for its condition",
		"waiting releases it, and the wake-up can be missed", "waits", 6},
	[DH_MISTAKE_DESTROYED] = {DH_KIND_LOCK_MISUSE, "is destroyed while it is held",
		"destroying a locked lock is undefined", "destroys", 6},
	[DH_MISTAKE_HANDLER] = {DH_KIND_DEADLOCK, "is acquired in a signal handler",
		"the handler may have interrupted the holder, which then never releases it",
		"wants", 7},
	[DH_MISTAKE_EMPTY] = {DH_KIND_LOCK_MISUSE, "is held around nothing",
		"a lock is taken for something: what it protects is missing here, or it is only "
		"there to wait for its holder",
		"acquires", 2},
};

/* Whether the lock is what its name says: not one of several, not one of another round. */
static bool is_certain(struct dh_scan_run *run, uint32_t node)
{
	struct dh_scan_node n = *dh_scan_node(run->p, node);
	enum dh_sym_kind k = dh_sym_kind(&run->syms, node);

	if (!node || k == DH_SYM_SET || k == DH_SYM_OLD || k == DH_SYM_OUTER)
		return false;
	switch (n.op) {
	case DH_SCAN_LOAD:
	case DH_SCAN_FIELD:
	case DH_SCAN_OFFSET:
		return is_certain(run, n.a);
	case DH_SCAN_INDEX:
		return n.b && is_certain(run, n.a) && is_certain(run, n.b);
	default:
		return true;
	}
}

static void add_site(struct dh_scan_run *run, struct dh_finding *f, const struct dh_scan_mistake *m,
	const char *role, uint32_t fn, uint32_t stmt)
{
	struct dh_site s = {
		.role = role, .who = dh_scan_thread_name(run, f, m->thread, m->context)};

	dh_scan_frame_of(run, fn, stmt, &s.at);
	if (fn == m->fn && stmt == m->stmt)
		dh_scan_stack_of(run, f, m->context, fn, stmt, &s.stack);
	dh_finding_add_site(f, &s);
}

/* Whether the lock that is released there is held on other ways to the place. */
static bool is_held_on_others(const struct dh_scan_run *run, const struct dh_scan_mistake *m)
{
	uint64_t held = 0;

	return dh_map_get(&run->release_held, (uint64_t)m->fn << 32 | m->stmt, &held) && held;
}

static void tell(struct dh_scan_run *run, const struct dh_scan_mistake *m)
{
	struct dh_finding *f = dh_finding_new(words[m->kind].kind);
	struct dh_buf name DH_BUF = DH_BUF_INIT;

	dh_scan_var_name(run, run->locks[m->lock].node, &name);
	f->variable = dh_finding_strdup(f, dh_buf_str(&name));
	dh_finding_set_title(f, "%s %s", f->variable, words[m->kind].title);
	dh_finding_add_reason(f, "%s", words[m->kind].reason);
	if (m->kind == DH_MISTAKE_BLOCKING)
		dh_finding_add_reason(f, "%s may sleep", dh_scan_text(run->p, m->what));
	if (m->conds + m->calls)
		dh_finding_add_reason(f, "%u condition%s and %u call%s lie between", m->conds,
			m->conds == 1 ? "" : "s", m->calls, m->calls == 1 ? "" : "s");
	f->score = words[m->kind].score - DH_MIN(m->conds + 3u * m->calls, 20u) * 0.1;
	if (!dh_scan_lock_is_unique(run, m->lock))
		f->score -= m->kind == DH_MISTAKE_DOUBLE ? 5 : 1;
	if (m->kind == DH_MISTAKE_DOUBLE && m->from_fn == m->fn && m->from_stmt == m->stmt) {
		dh_finding_add_reason(
			f, "it is the same place: a call may lead back to it, or not");
		f->score -= 4;
	}
	if (m->kind == DH_MISTAKE_NOT_HELD && is_held_on_others(run, m)) {
		dh_finding_add_reason(f, "on other ways to this place it is held");
		f->score -= 4;
	}
	add_site(run, f, m, words[m->kind].role, m->fn, m->stmt);
	if (m->from_fn && m->kind != DH_MISTAKE_LEFT && m->kind != DH_MISTAKE_EMPTY)
		add_site(run, f, m, "holds", m->from_fn, m->from_stmt);
	dh_finding_add_evidence(
		f, &(struct dh_evidence){
			   .level = DH_LEVEL_PREDICTED, .by = "scan", .when = time(NULL)});
	dh_finding_seal(f);
	dh_findings_add(&run->findings, f);
}

/* A mistake in one place is told once, whichever way the lock is named. */
static bool is_told(struct dh_map *told, const struct dh_scan_mistake *m)
{
	uint64_t key = ((uint64_t)m->fn << 32 | m->stmt) * DH_MISTAKE_COUNT + m->kind;

	if (dh_map_get(told, key, NULL))
		return true;
	dh_map_set(told, key, 1);
	return false;
}

/* The kinds of locks with which anything is ever accessed. */
static struct dh_map protecting(struct dh_scan_run *run)
{
	struct dh_map sets = DH_MAP_INIT, kinds = DH_MAP_INIT;
	size_t n;

	for (uint32_t i = 0; i < run->n_accesses; i++)
		dh_map_set(&sets, run->accesses[i].locks, 1);
	dh_map_foreach (set, &sets) {
		dh_lockset_locks(run->sets, (uint32_t)set->key, &n);
		for (size_t i = 0; i < n; i++) {
			uint32_t lock = dh_lockset_locks(run->sets, (uint32_t)set->key, &n)[i];

			dh_map_set(&kinds, dh_scan_lock_kind(run, run->locks[lock].node), 1);
		}
	}
	dh_map_release(&sets);
	return kinds;
}

/* Over so many conditions and calls (a call counts as three) the path is rather none. */
#define MAX_FAR 100
/* Functions within each other. */
#define MAX_DEEP 16

static bool is_far(const struct dh_scan_run *run, const struct dh_scan_mistake *m)
{
	return !run->kernel && m->conds + 3u * m->calls > MAX_FAR;
}

static bool is_worth_telling(
	struct dh_scan_run *run, const struct dh_scan_mistake *m, const struct dh_map *kinds)
{
	if (!is_certain(run, run->locks[m->lock].node) || is_far(run, m))
		return false;
	if (m->kind == DH_MISTAKE_NOT_HELD) {
		/* Held on other ways to the same place: in a kernel, and at the end of a long way,
		 * rather a path that is none. */
		return (!is_held_on_others(run, m) ||
			       (!run->kernel && run->contexts[m->context].depth < MAX_DEEP)) &&
		       dh_scan_lock_is_unique(run, m->lock);
	}
	/* A lock that protects nothing anywhere is about something else. */
	if (m->kind == DH_MISTAKE_EMPTY)
		return dh_map_get(kinds, dh_scan_lock_kind(run, run->locks[m->lock].node), NULL);
	if (m->kind == DH_MISTAKE_WAIT)
		return dh_scan_lock_is_unique(run, m->lock);
	return true;
}

void dh_scan_find_mistakes(struct dh_scan_run *run)
{
	struct dh_map told = DH_MAP_INIT, kinds = protecting(run);

	for (uint32_t i = 0; i < run->n_mistakes; i++)
		if (is_worth_telling(run, &run->mistakes[i], &kinds) &&
			!is_told(&told, &run->mistakes[i]))
			tell(run, &run->mistakes[i]);
	dh_map_release(&told);
	dh_map_release(&kinds);
}
