/* The run as a whole: tables, two passes over the program, findings. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "scan/analysis/find.h"
#include "scan/analysis/run.h"
#include "scan/analysis/turn.h"
#include "scan/analysis/value.h"

#define MAX_CONFIG (1 << 20)

static bool calls(const struct dh_scan_program *p, const char *name)
{
	return dh_scan_symbol_find(p, name) != 0;
}

/* Without a word from the user: what the program calls says what it is. */
static const char *guess_profile(const struct dh_scan_program *p)
{
	bool main = dh_scan_body(p, dh_scan_symbol_find(p, "main")) != NULL;

	if (!main && (calls(p, "_raw_spin_lock") || calls(p, "mutex_lock") || calls(p, "_printk") ||
			     calls(p, "printk") || calls(p, "spin_lock")))
		return "linux";
	if (calls(p, "g_mutex_lock") || calls(p, "g_thread_new") || calls(p, "g_malloc"))
		return "glib";
	return "pthreads";
}

static int read_config(struct dh_scan_table *t, const char *path, struct dh_error *err)
{
	struct dh_buf text DH_BUF = DH_BUF_INIT;
	int r = dh_read_file(path, MAX_CONFIG, &text, err);

	return r < 0 ? r : dh_scan_table_parse(t, path, dh_buf_str(&text), err);
}

static int make_table(struct dh_scan_run *run, struct dh_error *err)
{
	const char *const guessed[] = {guess_profile(run->p), NULL};
	const char *const *names = run->o->profiles ? run->o->profiles : guessed;
	int r = 0;

	run->table = dh_scan_table_new();
	for (; *names && r >= 0; names++) {
		r = dh_scan_table_profile(run->table, *names, err);
		run->kernel |= r >= 0 && dh_scan_table_trait(run->table, "no-main");
	}
	for (const char *const *c = run->o->configs; c && *c && r >= 0; c++)
		r = read_config(run->table, *c, err);
	return r < 0 ? r : 0;
}

static double limit(const struct dh_scan_run *run, const char *name, double fallback)
{
	return dh_scan_table_number(run->table, DH_SV_LIMIT, name, fallback);
}

/* What is called from outside has no end: the larger it is, the more ways lead into a function, and
 * the less the next one tells. */
static void set_limits(struct dh_scan_run *run)
{
	uint32_t main = dh_scan_symbol_find(run->p, "main");
	bool program = main && run->p->symbols[main].function;

	run->limits = (struct dh_scan_limits){
		.contexts = (uint32_t)limit(run, "entries", run->kernel ? 16 : 100),
		.work = (uint32_t)limit(run, "work",
			run->kernel ? 1000
			: program   ? 20000
				    : 4000),
		.states = (uint32_t)limit(run, "states", run->kernel ? 8 : 24),
		.accesses = (uint32_t)limit(run, "situations", run->kernel ? 4 : 64),
		.targets = (uint32_t)fmin(limit(run, "targets", run->kernel ? 8 : 32), 64),
		.steps = (uint64_t)limit(run, "steps", run->kernel ? 1e8 : 2e7),
		.threads_in_cycle = (uint32_t)limit(run, "cycle", 4),
	};
	run->mode = run->o->mode ? run->o->mode : run->kernel ? DH_SCAN_PRECISE : DH_SCAN_PAIRS;
	run->summaries = dh_scan_table_trait(run->table, "all-summaries") ? DH_SUMMARIES_ALL
			 : dh_scan_table_trait(run->table, "smallest-summaries")
				 ? DH_SUMMARIES_SMALLEST
			 : run->kernel || dh_scan_table_trait(run->table, "majority-summaries")
				 ? DH_SUMMARIES_MAJORITY
				 : DH_SUMMARIES_ALL;
	run->error_paths = dh_scan_table_trait(run->table, "error-paths");
	run->downward_only = dh_scan_table_trait(run->table, "downward-only");
}

/* What others call by its name is no handler, whatever the name looks like. */
static bool is_misnamed(struct dh_scan_run *run, uint32_t symbol)
{
	uint32_t n;

	dh_scan_callers(run->links, symbol, &n);
	return n && !(run->p->symbols[symbol].flags & DH_SCAN_SYM_ADDRESS);
}

/* Annotators, and what follows from being assigned to the same pointer (RacerX 8.3). */
static void annotate(struct dh_scan_run *run)
{
	struct dh_map by_class = DH_MAP_INIT;

	for (uint32_t i = 1; i < run->p->n_functions; i++) {
		const struct dh_scan_symbol *y = &run->p->symbols[run->p->functions[i]->symbol];
		const char *section = dh_scan_text(run->p, y->section);
		uint32_t class = dh_scan_class(run->links, run->p->functions[i]->symbol);
		enum dh_scan_verb v =
			dh_scan_table_annotation(run->table, dh_scan_text(run->p, y->name));

		if (!v && *section)
			v = dh_scan_table_annotation(run->table, section);
		if (v == DH_SV_INTERRUPT && is_misnamed(run, run->p->functions[i]->symbol))
			v = DH_SV_NONE;
		run->fns[i].annotation = (uint8_t)v;
		if (v && class)
			dh_map_set(&by_class, class, v);
	}
	for (uint32_t i = 1; i < run->p->n_functions; i++) {
		uint32_t class = dh_scan_class(run->links, run->p->functions[i]->symbol);
		uint64_t v = 0;

		if (!run->fns[i].annotation && class && dh_map_get(&by_class, class, &v) &&
			v != DH_SV_IGNORE)
			run->fns[i].annotation = (uint8_t)v;
	}
	dh_map_release(&by_class);
}

static void prepare(struct dh_scan_run *run)
{
	struct dh_scan_program *p = run->p;

	run->links = dh_scan_link(p);
	p->flat = true;
	run->sets = dh_locksets_new();
	dh_syms_init(&run->syms, p);
	run->rules = dh_zalloc((p->n_symbols + 1) * sizeof(*run->rules));
	run->rules_known = dh_zalloc(p->n_symbols + 1);
	run->fns = dh_zalloc((p->n_functions + 1) * sizeof(*run->fns));
	run->writes = dh_zalloc((p->n_functions + 1) * sizeof(*run->writes));
	dh_scan_lock_get(run, dh_scan_const(p, 1), false, 0); /* number 0 is taken */
	annotate(run);
	if (run->kernel)
		dh_scan_infer_roots(run);
	dh_scan_find_writes(run);
	dh_scan_find_modes(run);
	dh_scan_memory_seed(run);
	dh_scan_find_constants(run);
}

static void clear_contexts(struct dh_scan_run *run)
{
	for (uint32_t i = 1; i < run->n_contexts; i++) {
		struct dh_scan_context *c = &run->contexts[i];

		for (uint32_t j = 0; j < c->n_exits; j++)
			dh_scan_state_release(&c->exits[j].state);
		dh_scan_state_release(&c->entry);
		free(c->exits);
		free(c->args);
	}
	run->n_contexts = 1;
	dh_map_clear(&run->context_index);
	dh_map_clear(&run->cut_sites);
	for (uint32_t i = 0; i < run->p->n_functions; i++) {
		run->fns[i].n_contexts = 0;
		run->fns[i].outer = DH_LOCKSET_EMPTY;
		run->fns[i].outer_known = false;
	}
}

static void begin_pass(struct dh_scan_run *run, bool last)
{
	run->last = last;
	if (!run->cap_contexts)
		DH_GROW(run->contexts, run->n_contexts, run->cap_contexts);
	clear_contexts(run);
	dh_map_clear(&run->stored);
	run->counts = (struct dh_scan_counts){0};
	for (uint32_t i = 0; i < run->n_threads; i++) {
		struct dh_scan_thread *t = &run->threads[i];

		t->was_many = t->many;
		t->many = t->kind == DH_THREAD_ROOT;
		t->beside = t->parents = t->exit_live = t->end_live = DH_LOCKSET_EMPTY;
		t->exit_joined = DH_LOCKSET_EMPTY;
		t->was_under = t->under;
		t->under = t->cover = t->bared = t->let_go = DH_LOCKSET_EMPTY;
		t->begun = t->created = false;
	}
}

static void walk_program(struct dh_scan_run *run, const struct dh_scan_sink *sink)
{
	/* The first pass finds threads, pointers and what semaphores are for. */
	if (!run->kernel || dh_scan_table_trait(run->table, "two-passes")) {
		begin_pass(run, false);
		dh_scan_run_roots(run, sink);
		dh_scan_judge_semaphores(run);
		if (!run->kernel)
			dh_scan_find_orders(run);
	}
	begin_pass(run, true);
	dh_scan_run_roots(run, sink);
	run->settled = true;
}

static void release_maps(struct dh_scan_run *run)
{
	struct dh_map *maps[] = {&run->lock_index, &run->context_index, &run->memory,
		&run->access_index, &run->access_count, &run->edge_index, &run->mistake_index,
		&run->said, &run->usage_index, &run->usage_sites, &run->signallers,
		&run->section_index, &run->section_only, &run->section_first, &run->section_last,
		&run->release_held, &run->recursive, &run->atomics, &run->writers,
		&run->writes_seen, &run->modes, &run->cut_sites, &run->empty_sections, &run->stored,
		&run->resolved, &run->written_beside, &run->initial, &run->constants, &run->turns,
		&run->turn_index, &run->lent, &run->benign, &run->channels, &run->unsettled,
		&run->robust};

	for (size_t i = 0; i < DH_ARRAY_SIZE(maps); i++)
		dh_map_release(maps[i]);
}

static void release(struct dh_scan_run *run)
{
	if (run->cap_contexts)
		clear_contexts(run);
	for (uint32_t i = 0; run->fns && i < run->p->n_functions; i++)
		dh_scan_fn_release(&run->fns[i]);
	for (uint32_t i = 0; i < run->n_rows; i++)
		free(run->rows[i].values);
	void *arrays[] = {run->rules, run->rules_known, run->fns, run->writes, run->locks,
		run->threads, run->contexts, run->rows, run->accesses, run->sections, run->edges,
		run->mistakes, run->usages, run->places, run->turn_writes, run->at_exit};

	for (size_t i = 0; i < DH_ARRAY_SIZE(arrays); i++)
		free(arrays[i]);
	release_maps(run);
	if (run->links)
		dh_syms_release(&run->syms);
	dh_scan_links_free(run->links);
	dh_locksets_free(run->sets);
	dh_scan_table_free(run->table);
	dh_findings_release(&run->findings);
}

DH_PRINTF(2, 3)
static void say(const struct dh_scan_sink *sink, const char *format, ...)
{
	struct dh_buf text DH_BUF = DH_BUF_INIT;
	va_list args;

	va_start(args, format);
	dh_buf_vaddf(&text, format, args);
	va_end(args);
	sink->note(sink->arg, dh_buf_str(&text));
}

/* Whatever was left out is said. */
static void say_limits(struct dh_scan_run *run, const struct dh_scan_sink *sink)
{
	const struct dh_scan_counts *c = &run->counts;

	if (!sink->note)
		return;
	if (c->out_of_steps)
		say(sink,
			"the analysis ended after %llu statements, and the rest was not looked at: "
			"a line \"limit steps N\" in a --config file allows more",
			(unsigned long long)run->limits.steps);
	if (c->cut_contexts + c->cut_states + c->cut_targets)
		say(sink,
			"limits were met: %llu calls of functions entered in too many ways, %llu "
			"paths, %llu calls with too many targets were not followed (limit entries, "
			"states, targets)",
			(unsigned long long)c->cut_contexts, (unsigned long long)c->cut_states,
			(unsigned long long)c->cut_targets);
	if (c->cut_accesses + c->sampled)
		say(sink,
			"limits were met: %llu situations of statements were not kept (limit "
			"situations), and %llu variables judged by a sample of their accesses",
			(unsigned long long)c->cut_accesses, (unsigned long long)c->sampled);
	if (c->cut_cycles + c->untold)
		say(sink,
			"limits were met: the search for deadlocks through %llu locks was cut "
			"short, "
			"and %llu deadlocks are not told",
			(unsigned long long)c->cut_cycles, (unsigned long long)c->untold);
}

static void hand_over(struct dh_scan_run *run, const struct dh_scan_sink *sink)
{
	struct dh_map told = DH_MAP_INIT;

	dh_findings_sort(&run->findings);
	for (size_t i = 0; i < run->findings.n; i++) {
		struct dh_finding *f = run->findings.items[i];
		uint64_t id = strtoull(f->id, NULL, 16), known;

		/* The same in another context is the same to people. */
		if (dh_map_get(&told, id, &known)) {
			dh_finding_free(f);
			continue;
		}
		dh_map_set(&told, id, 1);
		sink->finding(sink->arg, f);
	}
	run->findings.n = 0;
	dh_map_release(&told);
}

int dh_scan_analyse(struct dh_scan_program *p, const struct dh_scan_options *o,
	const struct dh_scan_sink *sink, struct dh_error *err)
{
	struct dh_scan_run run = {.p = p, .o = o};
	int r = make_table(&run, err);

	if (r == 0) {
		set_limits(&run);
		prepare(&run);
		walk_program(&run, sink);
		dh_scan_find_races(&run);
		if (!dh_scan_table_trait(run.table, "no-unlocksets"))
			dh_scan_trim_orders(&run);
		dh_scan_find_deadlocks(&run);
		dh_scan_find_left(&run);
		dh_scan_find_mistakes(&run);
		if (o->infer_locks)
			dh_scan_infer_locks(&run);
		say_limits(&run, sink);
		hand_over(&run, sink);
	}
	release(&run);
	return r;
}
