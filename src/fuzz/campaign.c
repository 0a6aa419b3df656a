#include "fuzz/campaign.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "fuzz/check.h"
#include "fuzz/diff.h"
#include "fuzz/internal.h"
#include "fuzz/program.h"
#include "fuzz/symbols.h"

/* Waits that are shorter than this may be over before anything else happens: a program that relies
 * on them to order its threads is wrong on a busy machine. */
#define OUTRUN_NS 1000000000u
/* A run with so many times the points of an undisturbed one, and some, has lost its way. */
#define LONGER     20
#define SPARE      1000000
#define MAX_STRAYS 64
/* Of looks at a flag in a row: the undisturbed run may have been lucky, and no run waits for ever.
 */
#define MORE_PATIENT 20
#define IDLE_MIN     20000
#define IDLE_MAX     40000000
#define LAST_WORDS   160

int dh_campaign_new(const struct dh_campaign_options *o, const struct dh_campaign_listener *l,
	struct dh_campaign **ret, struct dh_error *err)
{
	struct dh_campaign *c;

	if (!o->seeds)
		return dh_error_set(err, EINVAL, "at least one seed is needed");
	c = dh_new(struct dh_campaign);
	c->o = *o;
	c->l = *l;
	c->began = dh_clock_seconds();
	*ret = c;
	return 0;
}

void dh_campaign_free(struct dh_campaign *c)
{
	if (!c)
		return;
	dh_pool_free(c->pool);
	dh_suspects_release(&c->suspects);
	for (size_t i = 0; i < c->n_strays; i++)
		dh_failing_release(&c->strays[i].failing);
	free(c->strays);
	dh_symbols_free(c->sym);
	dh_buf_release(&c->base_output);
	dh_arena_release(&c->arena);
	free(c);
}

bool dh_campaign_out_of_time(struct dh_campaign *c)
{
	if (c->o.time > 0 && dh_clock_seconds() - c->began > c->o.time)
		c->t.out_of_time = true;
	return c->t.out_of_time;
}

void dh_campaign_hurry(struct dh_campaign *c)
{
	dh_server_go_on();
	c->t.interrupted = c->t.out_of_time = true;
}

uint64_t dh_campaign_left(const struct dh_campaign *c, uint64_t reserve)
{
	uint64_t used = c->t.runs + c->t.minimising + reserve;

	if (!c->o.schedules)
		return UINT64_MAX;
	return c->o.schedules > used ? c->o.schedules - used : 0;
}

bool dh_campaign_failed(const struct dh_campaign *c)
{
	bool failed = c->n_strays > 0;

	for (size_t i = 0; i < c->suspects.n; i++)
		failed |= c->suspects.items[i]->failed > 0;
	return failed;
}

void dh_campaign_phase(struct dh_campaign *c, const char *what, uint64_t total)
{
	if (c->l.phase)
		c->l.phase(c->l.arg, what, total);
}

void dh_campaign_tick(struct dh_campaign *c, uint64_t done, const char *note)
{
	if (c->l.tick)
		c->l.tick(c->l.arg, done, note);
}

/* In an undisturbed run it is as the runtime has it. */
static uint32_t patience(const struct dh_campaign *c)
{
	uint64_t idle = DH_MIN(c->idle, (uint64_t)IDLE_MAX) * MORE_PATIENT;

	return !c->length ? 0
			  : (uint32_t)DH_MIN(DH_MAX(idle, (uint64_t)IDLE_MIN), (uint64_t)IDLE_MAX);
}

/* Not even a statement in the innermost loop, a point each time, uses it up. */
static uint64_t limit(const struct dh_campaign *c)
{
	uint64_t points = DH_MIN(c->length, UINT64_MAX / 4 / LONGER) +
			  DH_MIN(c->accesses, UINT64_MAX / 4 / LONGER);

	return c->length ? points * LONGER + SPARE : 0;
}

struct dh_sched_ask dh_campaign_ask(
	const struct dh_campaign *c, enum dh_sched_strategy strategy, uint64_t seed)
{
	return (struct dh_sched_ask){.strategy = strategy,
		.detect = DH_DETECT_HEAP,
		.flags = c->o.all_accesses ? DH_ASK_ALL_ACCESSES : 0,
		.depth = c->o.depth,
		.seed = seed,
		.length = c->length,
		.limit = limit(c),
		.timeout_choice = strategy == DH_SCHED_CALM ? 0 : OUTRUN_NS,
		.idle = patience(c),
		.cpu = -1};
}

/* The words of --compare-output: what was there, and what came instead. */
static void describe_output(struct dh_campaign *c, struct dh_server *s, struct dh_fuzz_failure *f)
{
	DH_BUF struct dh_buf is = DH_BUF_INIT, diff = DH_BUF_INIT;
	size_t used;

	dh_server_output(s, 1, c->o.server.max_output, &is);
	dh_output_diff(
		dh_buf_str(&c->base_output), c->base_output.len, dh_buf_str(&is), is.len, 3, &diff);
	for (size_t i = 0; i < diff.len; i++) {
		if (diff.data[i] == '\n')
			diff.data[i] = i + 1 < diff.len ? ' ' : 0;
	}
	used = strlen(f->detail);
	snprintf(f->detail + used, sizeof(f->detail) - used, ", %s", dh_buf_str(&diff));
}

/* A program that gives up usually says why. */
static void add_last_words(struct dh_server *s, struct dh_fuzz_failure *f)
{
	DH_BUF struct dh_buf said = DH_BUF_INIT;
	size_t end, start, used = strlen(f->detail);

	dh_server_tail(s, 2, LAST_WORDS, &said);
	if (!said.len)
		dh_server_tail(s, 1, LAST_WORDS, &said);
	for (end = said.len; end && isspace((unsigned char)said.data[end - 1]); end--)
		;
	for (start = end; start && said.data[start - 1] != '\n'; start--)
		;
	for (size_t i = start; i < end; i++) {
		if ((unsigned char)said.data[i] < ' ')
			said.data[i] = ' ';
	}
	if (end > start)
		snprintf(f->detail + used, sizeof(f->detail) - used, "; last words: %.*s",
			(int)(end - start), said.data + start);
}

bool dh_campaign_differs(const struct dh_campaign *c, const struct dh_run *run)
{
	return c->stable &&
	       (run->output_hash != c->base.output_hash || run->output_size != c->base.output_size);
}

static void count(struct dh_campaign *c, const struct dh_run *run, const struct dh_fuzz_failure *f)
{
	c->t.runs++;
	c->t.running += run->seconds;
	c->t.outside += run->result.outside > 0;
	c->t.lost_steps += run->result.lost_steps;
	c->t.lost_candidates += run->result.lost_candidates;
	c->t.lost_history += run->result.lost_history;
	c->t.passed += f->kind == DH_FAILURE_NONE;
	c->t.differed += f->kind == DH_FAILURE_NONE && dh_campaign_differs(c, run);
	if (dh_failed(f) && !c->t.first_failure)
		c->t.first_failure = c->t.runs;
	if (f->kind != DH_FAILURE_UNDECIDED)
		return;
	c->t.undecided++;
	if (!c->t.note[0])
		snprintf(c->t.note, sizeof(c->t.note), "%.250s", f->detail);
}

void dh_campaign_judge(struct dh_campaign *c, struct dh_server *s, const struct dh_run *run,
	struct dh_fuzz_failure *ret)
{
	dh_failure_of(run, &c->base, ret);
	if (ret->kind == DH_FAILURE_OUTPUT)
		describe_output(c, s, ret);
	if (ret->kind == DH_FAILURE_CRASH || ret->kind == DH_FAILURE_EXIT)
		add_last_words(s, ret);
	if (ret->kind == DH_FAILURE_NONE && c->o.check)
		dh_check_judge(
			c->o.check, run, dh_server_stream(s, 1), dh_server_stream(s, 2), ret);
	if (ret->kind == DH_FAILURE_NONE && c->base.status && run->outcome.end == DH_END_EXIT &&
		run->outcome.status == 0) {
		c->forgiven = c->base.status;
		c->base.status = 0;
	}
	count(c, run, ret);
}

void dh_failing_keep(struct dh_failing *f, const struct dh_fuzz_failure *failure,
	const struct dh_order *order, struct dh_server *s, const struct dh_run *run)
{
	if (f->have && run->result.preemptions >= f->preemptions)
		return;
	dh_failing_release(f);
	f->have = true;
	f->failure = *failure;
	f->ask = order->ask;
	f->preemptions = run->result.preemptions;
	f->steps = dh_block_steps(dh_server_block(s), &f->n_steps);
	f->outcome = dh_memdup(&run->outcome, sizeof(run->outcome));
}

void dh_campaign_stray(struct dh_campaign *c, const struct dh_fuzz_failure *failure,
	const struct dh_order *order, struct dh_server *s, const struct dh_run *run, uint64_t tries)
{
	struct dh_stray *x = NULL;

	for (size_t i = 0; !x && i < c->n_strays; i++) {
		if (c->strays[i].failing.failure.key == failure->key)
			x = &c->strays[i];
	}
	if (!x) {
		if (c->n_strays == MAX_STRAYS)
			return;
		DH_GROW(c->strays, c->n_strays, c->cap_strays);
		x = &c->strays[c->n_strays++];
		*x = (struct dh_stray){.strategy = order->ask.strategy, .tries = tries};
	}
	x->hits++;
	if (x->failing.have && run->result.preemptions >= x->failing.preemptions)
		return;
	dh_failing_keep(&x->failing, failure, order, s, run);
	x->strategy = order->ask.strategy;
	x->n_targets = DH_MIN(order->n_targets, DH_SUSPECT_TARGETS);
	if (x->n_targets)
		memcpy(x->targets, order->targets, x->n_targets * sizeof(*x->targets));
}

struct dh_campaign_totals dh_campaign_totals(const struct dh_campaign *c)
{
	struct dh_campaign_totals t = c->t;

	t.seconds = dh_clock_seconds() - c->began;
	t.suspects = c->suspects.n;
	t.native_status = c->base.status;
	return t;
}
