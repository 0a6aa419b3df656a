/* Findings: what a suspect or a failing schedule came to, in the terms of the store and the
 * reports. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "fuzz/internal.h"
#include "fuzz/program.h"
#include "fuzz/schedule.h"
#include "fuzz/symbols.h"

struct kind {
	enum dh_kind kind;
	const char *title; /* before the variable */
};

static const struct kind kinds[] = {
	[DH_CAND_NONE] = {DH_KIND_ORDER_VIOLATION, ""},
	[DH_CAND_RACE] = {DH_KIND_DATA_RACE, "data race on"},
	[DH_CAND_DEADLOCK] = {DH_KIND_DEADLOCK, "deadlock over"},
	[DH_CAND_ATOMICITY] = {DH_KIND_ATOMICITY_VIOLATION, "atomicity violation on"},
	[DH_CAND_ORDER] = {DH_KIND_ORDER_VIOLATION, "order violation on"},
};
/* The object follows. */
static const struct kind misuses[] = {
	[DH_SUB_NOT_HELD] = {DH_KIND_LOCK_MISUSE, "unlock of a lock that nobody holds:"},
	[DH_SUB_HELD_BY_OTHER] = {DH_KIND_LOCK_MISUSE,
		"unlock of a mutex that another thread holds:"},
	[DH_SUB_WAIT_NOT_HELD] = {DH_KIND_LOCK_MISUSE,
		"wait for a condition without holding the mutex:"},
	[DH_SUB_DESTROY_HELD] = {DH_KIND_LOCK_MISUSE, "end of a lock that is held:"},
	[DH_SUB_DESTROY_WAITED] = {DH_KIND_LOCK_MISUSE, "end of what a thread still waits for:"},
};
static const struct kind with_handler = {DH_KIND_SIGNAL_RACE, "race with a signal handler on"};

static const struct kind *kind_of(const struct dh_suspect *s)
{
	if (s->kind == DH_CAND_MISUSE)
		return &misuses[s->seen.sub];
	return s->predicted && s->seen.sub == DH_SUB_IN_HANDLER ? &with_handler : &kinds[s->kind];
}

static enum dh_access_kind access_kind(uint8_t access)
{
	if (access & DH_SCHED_RMW)
		return DH_ACCESS_UPDATE;
	return access & DH_SCHED_WRITE ? DH_ACCESS_WRITE : DH_ACCESS_READ;
}

static const char *role_of(size_t i, enum dh_sched_candidate_kind k)
{
	static const char *const roles[] = {"first", "second", "between"};

	if (k == DH_CAND_DEADLOCK)
		return "wants";
	return i < DH_ARRAY_SIZE(roles) ? roles[i] : "at";
}

/* Where accesses stand under a lock, its acquisitions are targets beside them, but no sides. */
static bool is_shown(const struct dh_suspect *s, const struct dh_sched_site *site)
{
	return site->pc && (s->kind == DH_CAND_DEADLOCK || s->kind == DH_CAND_MISUSE ||
				   site->op == DH_OP_ACCESS || site->op == DH_OP_ATOMIC ||
				   site->op == DH_OP_NONE);
}

static void add_site(struct dh_campaign *c, struct dh_finding *f, const struct dh_sched_site *s,
	size_t i, enum dh_sched_candidate_kind kind)
{
	const char *locks[DH_SCHED_LOCKS_MAX + 1];
	struct dh_site site = {.role = role_of(i, kind),
		.at = *dh_symbols_at(c->sym, s->pc),
		.who = dh_symbols_thread(c->sym, s->thread),
		.locks = locks,
		.stack = dh_symbols_stack(c->sym, &s->stack, &c->arena),
		.created = dh_symbols_created(c->sym, s->thread, &c->arena)};

	for (uint8_t k = 0; k < s->nlocks; k++)
		locks[site.n_locks++] =
			dh_object_name(c, DH_OP_LOCK, s->locks[k], s->lock_address[k]);
	if (kind == DH_CAND_DEADLOCK)
		site.order = dh_arena_strdup(&c->arena, "waits for what the other one holds");
	else if (kind != DH_CAND_MISUSE)
		site.access = (struct dh_access){.kind = access_kind(s->access),
			.size = s->size,
			.atomic = s->access & DH_SCHED_ATOMIC};
	if (s->access & DH_SCHED_FREE)
		site.order = "frees the block";
	else if (s->access & DH_SCHED_OBJECT)
		site.order = s->access & DH_SCHED_WRITE ? "initialises or destroys it" : "uses it";
	site.text = dh_symbols_source(c->sym, &site.at);
	dh_finding_add_site(f, &site);
}

/* A lock is meant as a whole, not the member of the C library's that is its first byte. */
static const char *variable_of(
	struct dh_campaign *c, struct dh_finding *f, const struct dh_sched_site *site)
{
	const char *name = dh_symbols_variable(c->sym, site->address);
	const char *inside = name ? strstr(name, ".__") : NULL;
	DH_FREE char *whole = NULL;

	if (!inside || !(site->access & DH_SCHED_OBJECT || site->op == DH_OP_UNLOCK))
		return dh_finding_strdup(f, name);
	whole = dh_asprintf("%.*s", (int)(inside - name), name);
	return dh_finding_strdup(f, whole);
}

/* What the memory is: a variable, a heap block, or a place on somebody's stack. */
static void add_object(struct dh_campaign *c, struct dh_finding *f, const struct dh_suspect *s)
{
	const struct dh_sched_candidate *seen = &s->seen;
	uint64_t address = seen->site[0].address;
	char text[96];

	if (s->kind == DH_CAND_DEADLOCK)
		return; /* the locks stand at the sites */
	f->variable = variable_of(c, f, &seen->site[0]);
	if (f->variable)
		return;
	if (seen->block) {
		struct dh_stack where = dh_symbols_stack(c->sym, &seen->allocated, &c->arena);

		snprintf(text, sizeof(text),
			"%u bytes at offset %" PRIu64 " of a heap block of %" PRIu64,
			seen->site[0].size, address - seen->block, seen->block_size);
		f->object = dh_finding_strdup(f, text);
		dh_stack_copy(&f->arena, &f->allocated, &where);
	}
}

static void add_lock_names(struct dh_campaign *c, const struct dh_suspect *s, struct dh_buf *title)
{
	for (uint32_t i = 0; i < s->seen.nsites; i++)
		dh_buf_addf(title, "%s%s", i ? ", " : "",
			dh_object_name(
				c, DH_OP_LOCK, s->seen.site[i].object, s->seen.site[i].address));
}

static void set_title(struct dh_campaign *c, struct dh_finding *f, const struct dh_suspect *s)
{
	DH_BUF struct dh_buf t = DH_BUF_INIT;
	const char *a = f->n_sites ? f->sites[0].at.function : NULL;
	const char *b = f->n_sites > 1 ? f->sites[f->n_sites - 1].at.function : NULL;

	dh_buf_addf(&t, "%s ", kind_of(s)->title);
	if (s->kind == DH_CAND_DEADLOCK)
		add_lock_names(c, s, &t);
	else if (f->variable)
		dh_buf_addf(&t, "'%s'", f->variable);
	else
		dh_buf_adds(&t, s->seen.block ? "a heap block" : "memory");
	if (a && b && strcmp(a, b) != 0)
		dh_buf_addf(&t, " between %s and %s", a, b);
	else if (a)
		dh_buf_addf(&t, " in %s", a);
	dh_finding_set_title(f, "%s", dh_buf_str(&t));
}

static void add_reasons(struct dh_finding *f, const struct dh_suspect *s)
{
	if (s->predicted && s->kind == DH_CAND_RACE && f->n_sites == 2 && !f->sites[0].n_locks &&
		!f->sites[1].n_locks)
		dh_finding_add_reason(f, "no lock is held at either access");
	if (s->tries)
		dh_finding_add_reason(f,
			"made to happen in %" PRIu64 " of %" PRIu64 " schedules (probability %.2f)",
			s->created, s->tries, (double)s->created / (double)s->tries);
	if (s->failed)
		dh_finding_add_reason(f, "%" PRIu64 " of these broke the program", s->failed);
	if (s->differed)
		dh_finding_add_reason(f,
			"%" PRIu64 " of these had another output; --compare-output tells which",
			s->differed);
	if (s->undecided)
		dh_finding_add_reason(
			f, "%" PRIu64 " schedules were cut off and say nothing", s->undecided);
	f->score = dh_suspect_score(s);
}

/* The text that --replay reads. */
static const char *schedule_text(
	struct dh_campaign *c, struct dh_finding *f, const struct dh_order *order, uint64_t failure)
{
	struct dh_fuzz_schedule s = {.program = c->o.server.program->path,
		.argv = (char **)c->o.server.argv,
		.program_hash = c->o.program_hash,
		.input_hash = c->o.input_hash,
		.input_size = c->o.input_size,
		.preload = c->o.server.preload,
		.modules = c->modules,
		.n_modules = c->n_modules,
		.failure = failure,
		.base = c->base};
	DH_FREE char *text = NULL;

	while (s.argv[s.n_argv])
		s.n_argv++;
	dh_fuzz_schedule_take(&s, order);
	text = dh_fuzz_schedule_write(&s);
	dh_arena_release(&s.arena);
	return dh_finding_strdup(f, text);
}

static void add_schedule(struct dh_campaign *c, struct dh_finding *f, const struct dh_failing *x,
	const struct dh_sched_ask *creating, const struct dh_sched_target *targets, size_t n)
{
	struct dh_order order = {.targets = targets, .n_targets = n};

	if (x->have) {
		order.ask = x->ask;
		order.steps = x->replays ? x->steps : NULL;
		order.n_steps = x->replays ? x->n_steps : 0;
	} else if (creating) {
		order.ask = *creating;
	} else {
		return;
	}
	f->schedule = schedule_text(c, f, &order, x->have ? x->failure.key : 0);
}

static void add_evidence(struct dh_campaign *c, struct dh_finding *f, enum dh_level level,
	uint64_t tries, uint64_t hits, const char *note)
{
	DH_FREE char *command = dh_asprintf("%s %s", c->o.replay, f->id);
	char budget[96];

	snprintf(budget, sizeof(budget), "{\"seeds\":%" PRIu64 ",\"first_seed\":%" PRIu64 "}",
		tries, c->o.first_seed);
	dh_finding_add_evidence(
		f, &(struct dh_evidence){.level = level,
			   .by = "fuzz",
			   .when = time(NULL),
			   .budget = tries ? budget : NULL,
			   .tries = tries,
			   .hits = hits,
			   .reproduce = dh_level_needs_command(level) ? command : NULL,
			   .note = note});
}

static void add_failure(struct dh_finding *f, const struct dh_failing *x)
{
	if (!x->have)
		return;
	f->failure = (struct dh_failure){.what = dh_failure_name(x->failure.kind),
		.detail = dh_finding_strdup(f, x->failure.detail),
		.status = x->failure.status};
}

/* "2 preemptions are enough, and of the 14 that there were no fewer are". */
static void say_preemptions(const struct dh_failing *f, char *ret, size_t size)
{
	size_t used = (size_t)snprintf(ret, size, "%" PRIu64 " preemption%s enough", f->preemptions,
		f->preemptions == 1 ? " is" : "s are");

	if (f->preemptions < 2 || !f->replays || used >= size)
		return;
	if (f->fewest && f->preemptions <= f->chosen_from)
		snprintf(ret + used, size - used, ", and no fewer of the %" PRIu64 " that it had",
			f->chosen_from);
	else if (f->none_can_go)
		snprintf(ret + used, size - used, ", none of which can be left out");
	else
		snprintf(ret + used, size - used,
			"; there were no schedules left to try with fewer");
}

static const char *note_of(const struct dh_suspect *s, enum dh_level level, char *ret, size_t size)
{
	char words[120];

	switch (level) {
	case DH_LEVEL_HARMFUL:
		say_preemptions(&s->failing, words, sizeof(words));
		snprintf(ret, size, "%" PRIu64 " failed; %s", s->failed, words);
		return ret;
	case DH_LEVEL_BENIGN:
		if (s->kind == DH_CAND_RACE)
			snprintf(ret, size,
				"both orders were run (%" PRIu64 " and %" PRIu64
				" times) and nothing differed",
				s->orders[0], s->orders[1]);
		else
			snprintf(ret, size, "made to happen %" PRIu64 " times and nothing broke",
				s->created);
		return ret;
	default:
		return NULL;
	}
}

struct dh_finding *dh_campaign_describe(struct dh_campaign *c, struct dh_suspect *s)
{
	struct dh_finding *f = s->from;

	s->from = NULL;
	/* Two places given by hand are told by how they met. */
	if (f && !f->n_evidence && s->have_hit) {
		s->seen.nsites = 2;
		memcpy(s->seen.site, s->hit.site, sizeof(s->hit.site));
		dh_finding_free(f);
		f = NULL;
	}
	if (f) {
		f->n_steps = 0;
		return f;
	}
	f = dh_finding_new(kind_of(s)->kind);
	for (uint32_t i = 0; i < s->seen.nsites; i++) {
		if (is_shown(s, &s->seen.site[i]))
			add_site(c, f, &s->seen.site[i], f->n_sites, s->kind);
	}
	add_object(c, f, s);
	set_title(c, f, s);
	dh_finding_seal(f);
	return f;
}

/* Where time or schedules ran out, the share that a suspect got is its budget. */
static uint64_t budget_of(const struct dh_campaign *c)
{
	return c->t.out_of_time || c->t.out_of_schedules ? DH_MIN(c->o.seeds, DH_SUSPECT_ENOUGH)
							 : c->o.seeds;
}

void dh_campaign_tell(struct dh_campaign *c, struct dh_suspect *s, struct dh_finding *f)
{
	enum dh_level level = dh_suspect_level(s, budget_of(c));
	char note[160];

	add_reasons(f, s);
	add_failure(f, &s->failing);
	add_schedule(
		c, f, &s->failing, s->have_seed ? &s->creating : NULL, s->targets, s->n_targets);
	if (!f->n_evidence)
		add_evidence(c, f, DH_LEVEL_PREDICTED, 0, 0, NULL);
	if (level != DH_LEVEL_PREDICTED)
		add_evidence(
			c, f, level, s->tries, s->created, note_of(s, level, note, sizeof(note)));
}

static void add_waiter(struct dh_campaign *c, struct dh_finding *f,
	const struct dh_sched_outcome *o, const struct dh_sched_waiter *w)
{
	const char *locks[DH_SCHED_WAITERS_MAX];
	char order[256];
	struct dh_site site = {.role = "wants",
		.at = *dh_symbols_at(c->sym, w->pc),
		.who = dh_symbols_thread(c->sym, w->thread),
		.locks = locks,
		.stack = dh_symbols_stack(c->sym, &w->stack, &c->arena),
		.created = dh_symbols_created(c->sym, w->thread, &c->arena)};

	for (uint32_t i = 0; i < o->nwaiters; i++) {
		const struct dh_sched_waiter *other = &o->waiter[i];

		if (other->owned && other->owner == w->thread && other->op != DH_OP_JOIN)
			locks[site.n_locks++] =
				dh_object_name(c, other->op, other->object, other->address);
	}
	snprintf(order, sizeof(order), "waits for %s%s%s",
		dh_object_name(c, w->op, w->object, w->address),
		w->owned ? ", which is held by " : "",
		w->owned ? dh_symbols_thread(c->sym, w->owner) : "");
	site.order = order;
	site.text = dh_symbols_source(c->sym, &site.at);
	dh_finding_add_site(f, &site);
}

static void add_place(struct dh_campaign *c, struct dh_finding *f, const char *role,
	uint32_t thread, uint64_t pc, const struct dh_sched_stack *stack, const char *order)
{
	struct dh_site site = {.role = role,
		.at = *dh_symbols_at(c->sym, pc),
		.who = dh_symbols_thread(c->sym, thread),
		.created = dh_symbols_created(c->sym, thread, &c->arena),
		.order = order};

	if (stack)
		site.stack = dh_symbols_stack(c->sym, stack, &c->arena);
	site.text = dh_symbols_source(c->sym, &site.at);
	dh_finding_add_site(f, &site);
}

/* Where the last preemption of the small schedule stopped a thread, and where it broke. */
static void add_switch(struct dh_campaign *c, struct dh_finding *f, const struct dh_failing *x)
{
	const struct dh_sched_outcome *o = x->outcome;
	uint64_t own = dh_symbols_own(c->sym, &o->stack), pc = own ? own : o->pc;

	for (size_t i = x->replays ? x->n_steps : 0; i-- > 0;) {
		if (!(x->steps[i].flags & DH_STEP_PREEMPT) || !x->steps[i].pc)
			continue;
		add_place(c, f, "stopped", x->steps[i].thread, x->steps[i].pc, NULL,
			"is stopped here while others go on");
		break;
	}
	if (pc)
		add_place(c, f, "fails", o->thread, pc, &o->stack, "fails here");
}

static void title_stray(struct dh_campaign *c, struct dh_finding *f, const struct dh_stray *s)
{
	const struct dh_fuzz_failure *x = &s->failing.failure;
	const char *when = c->t.passed ? "in some schedules" : "in every schedule";
	const char *where = f->n_sites ? f->sites[f->n_sites - 1].at.function : NULL;

	if (f->kind == DH_KIND_DEADLOCK)
		dh_finding_set_title(f, "deadlock of %zu threads%s%s", f->n_sites,
			where ? " in " : "", where ? where : "");
	else
		dh_finding_set_title(f, "%s %s%s%s: %s", dh_failure_name(x->kind), when,
			where ? ", in " : "", where ? where : "", x->detail);
}

struct dh_finding *dh_campaign_stray_finding(struct dh_campaign *c, const struct dh_stray *s)
{
	const struct dh_sched_outcome *o = s->failing.outcome;
	bool deadlock = s->failing.failure.kind == DH_FAILURE_DEADLOCK;
	bool hang = s->failing.failure.kind == DH_FAILURE_HANG && o->nwaiters;
	struct dh_finding *f =
		dh_finding_new(deadlock ? DH_KIND_DEADLOCK : DH_KIND_ORDER_VIOLATION);
	char note[120];

	for (uint32_t i = 0; (deadlock || hang) && i < o->nwaiters; i++) {
		if (o->waiter[i].in_cycle || hang)
			add_waiter(c, f, o, &o->waiter[i]);
	}
	if (!f->n_sites)
		add_switch(c, f, &s->failing);
	title_stray(c, f, s);
	dh_finding_add_reason(f, "%" PRIu64 " of the %" PRIu64 " schedules that were tried end so",
		s->hits, c->t.runs);
	if (s->failing.failure.key == c->calm_key)
		dh_finding_add_reason(f, "the undisturbed run fails in the same way%s",
			c->t.passed ? "" : ": it may not be a matter of the schedule at all");
	f->score = 10;
	dh_finding_seal(f);
	add_failure(f, &s->failing);
	add_schedule(c, f, &s->failing, NULL, s->targets, s->n_targets);
	say_preemptions(&s->failing, note, sizeof(note));
	add_evidence(c, f, DH_LEVEL_HARMFUL, c->t.runs, s->hits, note);
	return f;
}
