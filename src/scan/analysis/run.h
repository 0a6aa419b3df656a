/* One run of the analysis: everything its parts share.  Private to scan/analysis.
 *
 * walk.c   executes functions abstractly, context by context (RacerX section 3, figure 1):
 * context.h exec.c   statements; call.c, rule.c: what calls do: call.h; thread.c: thread.h; lock.c:
 * lock.h memory.c what pointers in memory may point to, for the whole program: value.h event.c
 * accesses, lock orders and mistakes that were met on the way: event.h race.c, deadlock.c,
 * misuse.c, ...: what follows from them: find.h; rank.c: in which order it is told */
#pragma once
#include "model/finding.h"
#include "model/findings.h"
#include "model/lockset.h"
#include "scan/analysis/context.h"
#include "scan/analysis/event.h"
#include "scan/analysis/lock.h"
#include "scan/analysis/state.h"
#include "scan/analysis/sym.h"
#include "scan/analysis/table.h"
#include "scan/analysis/thread.h"
#include "scan/link/link.h"
#include "scan/scan.h"

/* Which of the exits of a callee that contradict each other is believed (RacerX 6.3). */
enum dh_scan_summaries {
	DH_SUMMARIES_ALL,
	DH_SUMMARIES_MAJORITY, /* that most paths lead to */
	DH_SUMMARIES_SMALLEST, /* with the fewest locks */
};

struct dh_scan_limits {
	uint32_t contexts; /* entries per function (RacerX uses 100) */
	uint32_t work;     /* statements per function, over all its entries */
	uint32_t states;   /* states per block */
	uint32_t accesses; /* kept per statement */
	uint32_t targets;  /* of a call through a pointer */
	uint64_t steps;    /* statements executed in all */
	uint32_t threads_in_cycle;
};

struct dh_scan_counts {
	uint64_t steps, contexts, cut_contexts, cut_states, cut_targets, recursions, cut_accesses;
	uint64_t cut_cycles; /* locks whose cycles were not all searched for */
	uint64_t untold;     /* deadlocks beyond those that are told */
	uint64_t sampled;    /* variables of which not all accesses were compared */
	uint64_t unreleased; /* lock orders that unlockset analysis dropped */
	bool out_of_steps;
};

/* What was registered to be called when main is over. */
struct dh_scan_at_exit {
	uint32_t fn, arg; /* function; node */
};

struct dh_scan_run {
	struct dh_scan_program *p;
	struct dh_scan_links *links;
	struct dh_scan_table *table;
	const struct dh_scan_options *o;
	struct dh_locksets *sets;
	struct dh_syms syms;
	struct dh_scan_limits limits;
	struct dh_scan_counts counts;
	enum dh_scan_mode mode;
	bool kernel; /* no program of its own: every root may run beside every other */
	bool last;   /* this pass is recorded */
	enum dh_scan_summaries summaries;
	bool error_paths;   /* locks are followed past mistakes with them */
	bool downward_only; /* lock orders only of locks that callers hold */
	bool library;       /* no main: called from outside, by any thread */

	const struct dh_scan_rule **rules; /* by symbol */
	bool *rules_known;
	struct dh_map said; /* symbol -> the first fact about it; see capability.h */
	bool said_known;
	struct dh_scan_fn *fns; /* by function id */
	uint64_t *writes;       /* by function id: hashed mask of what it and its callees write */

	struct dh_scan_lock *locks; /* 0 is unused */
	uint32_t n_locks, cap_locks;
	struct dh_map lock_index;
	struct dh_map cut_sites; /* call and locks -> 1: its targets know of it */
	struct dh_map recursive; /* address with any index -> 1: its owner may take it again */

	struct dh_scan_thread *threads;
	uint32_t n_threads, cap_threads;
	bool under; /* one of them was created with a lock held */

	struct dh_scan_at_exit *at_exit;
	uint32_t n_at_exit, cap_at_exit;

	struct dh_scan_context *contexts; /* 0 is unused */
	uint32_t n_contexts, cap_contexts;
	struct dh_map context_index;
	struct dh_scan_frame *top; /* the innermost function being executed */

	struct dh_map memory; /* address with any index -> row of values */
	struct dh_sym *rows;  /* of memory: values, n_values */
	uint32_t n_rows, cap_rows;
	struct dh_map stored;   /* address and value -> 1: added in this pass */
	bool settled;           /* the program was walked: nothing is added any more */
	struct dh_map resolved; /* address and limit -> where its places stand in the pool */
	uint32_t *places;
	size_t n_places, cap_places;

	struct dh_scan_access *accesses;
	uint32_t n_accesses, cap_accesses;
	struct dh_map access_index, access_count;
	struct dh_scan_section *sections;
	uint32_t n_sections, cap_sections;
	struct dh_map section_index;
	struct dh_map empty_sections; /* place of acquisition -> 1: nothing is protected there */
	bool sections_summed;
	struct dh_map section_only, section_first, section_last; /* variable -> count */
	struct dh_scan_order_edge *edges;
	uint32_t n_edges, cap_edges;
	struct dh_map edge_index;
	struct dh_scan_mistake *mistakes;
	uint32_t n_mistakes, cap_mistakes;
	struct dh_map mistake_index;
	struct dh_map release_held; /* place -> 1: a lock that is released there was held */
	struct dh_scan_usage *usages;
	uint32_t n_usages, cap_usages;
	struct dh_map usage_index, usage_sites;
	struct dh_map writers; /* global variable or its member, any index -> set of threads */
	struct dh_map writes_seen;
	struct dh_map written_beside; /* the same -> set of threads that may run at a write */
	struct dh_map turns;          /* variable -> how it is used: see turn.c */
	struct dh_map turn_index;     /* variable -> the last of its writes, plus 1 */
	struct dh_scan_turn_write *turn_writes;
	uint32_t n_turn_writes, cap_turn_writes;
	struct dh_map initial;   /* variable -> the number that it begins with, if not 0 */
	struct dh_map constants; /* variable -> its only value: see constant.c */
	struct dh_map modes;     /* address -> 1: says whether threads run (mode.c) */
	uint32_t n_modes;
	struct dh_map atomics;    /* address with any index -> how it is used: see atomic.c */
	struct dh_map signallers; /* event node -> set of threads */
	struct dh_map channels;   /* array of descriptors -> 1: a pipe's */
	struct dh_map unsettled;  /* lock or descriptor -> 1: made or taken down beside others */
	struct dh_map robust;     /* lock -> 1: who takes it next learns that its owner is gone */
	struct dh_map lent; /* thread-local variable -> set of threads that give its address away */
	struct dh_map
		benign; /* address with any index -> 1: the program says that races are meant */
	struct dh_findings findings;
};

/* Whether the thread may have several instances, as far as this pass or the one before knows. */
static inline bool dh_scan_is_many(const struct dh_scan_run *run, uint32_t thread)
{
	return run->threads[thread].many || run->threads[thread].was_many;
}
