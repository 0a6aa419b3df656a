/* What the executions of one branch say about its race. */
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "explore/campaign.h"
#include "explore/finding.h"
#include "explore/history.h"
#include "explore/race.h"

/* A branch that failed is run again: evidence is what happens twice. */
#define TRIES 3
#define HITS  2

static const struct dh_race *race_of(const struct slot *s)
{
	return &s->level->races->races[s->race];
}

/* Where the program fails by itself now and then, and where it is the recorded order that fails,
 * only what happens every time is evidence: as often as the other order was seen. */
static int wanted(const struct campaign *c, const struct dh_verdict *v)
{
	return v->kept || v->recorded ? (int)DH_MAX(dh_campaign_expect(c)->n, (size_t)HITS) : HITS;
}

static uint64_t failure_key(const struct dh_verdict *v)
{
	DH_FREE char *what = dh_asprintf("%d %s", v->failure, v->detail);

	return XXH3_64bits(what, strlen(what));
}

/* The very failure has been seen twice already: no need to see it again. */
static bool is_known(const struct campaign *c, const struct dh_verdict *v)
{
	return !v->kept && !v->recorded && dh_map_get(&c->failures, failure_key(v), NULL);
}

bool dh_campaign_blamed(struct campaign *c, const struct dh_verdict *v)
{
	uint64_t key = failure_key(v);

	if (dh_map_get(&c->failures, key, NULL))
		return true;
	dh_map_set(&c->failures, key, 1);
	return false;
}

/* Everything that the execution is held against is wrong in itself, and this one is not: then it is
 * the recorded order that breaks, in the way in which the others differ from this one. */
static enum dh_outcome_failure judge_cure(const struct dh_expectation *e,
	const struct dh_outcome *o, struct dh_buf *what, uint32_t *ret_pid)
{
	const struct dh_expectation good = {.undisturbed = &o, .n = 1, .errors = e->errors};

	if (!dh_outcome_is_good(o))
		return DH_FAILURE_NONE;
	for (size_t i = 0; i < e->n; i++)
		if (dh_outcome_is_good(e->undisturbed[i]))
			return DH_FAILURE_NONE;
	*ret_pid = dh_outcome_culprit(&good, e->undisturbed[0]);
	return dh_outcome_judge(&good, e->undisturbed[0], what);
}

static void judge_end(struct campaign *c, struct dh_verdict *v, const struct dh_outcome *o)
{
	const struct dh_expectation *e = dh_campaign_expect(c);
	DH_BUF struct dh_buf what = DH_BUF_INIT;
	uint32_t pid = 0;
	enum dh_outcome_failure f = judge_cure(e, o, &what, &pid);
	bool recorded = f != DH_FAILURE_NONE;

	if (!recorded) {
		f = dh_outcome_judge(e, o, &what);
		pid = dh_outcome_culprit(e, o);
	}
	if (v->hits) { /* the first one is described and kept */
		v->hits += f != DH_FAILURE_NONE && recorded == v->recorded;
		return;
	}
	if (c->sum->unsteady) {
		v->kind = DH_VERDICT_FAILED;
		snprintf(v->detail, sizeof(v->detail),
			"it ends in more than one way, also in the recorded order");
	} else if (f == DH_FAILURE_NONE) {
		v->kind = DH_VERDICT_BENIGN;
	} else {
		v->kind = DH_VERDICT_HARMFUL;
		v->failure = f;
		v->hits = 1;
		v->recorded = recorded;
		v->pid = pid;
		snprintf(v->detail, sizeof(v->detail), "%s", dh_buf_str(&what));
	}
}

void dh_slot_judge(struct campaign *c, struct slot *s, const struct dh_outcome *o)
{
	struct dh_verdict *v = &s->verdict;

	v->tries++;
	v->seconds = o->seconds;
	v->kept = c->kept.expect.n > 0;
	c->sum->validated += o->seconds;
	c->sum->n_validated++;
	if (o->end == DH_END_DONE || o->end == DH_END_HUNG) {
		judge_end(c, v, o);
	} else if (!v->hits) { /* otherwise the first try has shown what there is */
		v->kind = o->end == DH_END_FAILED ? DH_VERDICT_FAILED : DH_VERDICT_DIVERGED;
		snprintf(v->detail, sizeof(v->detail), "%s", o->why);
	}
}

bool dh_slot_needs_more(const struct campaign *c, const struct slot *s)
{
	const struct dh_verdict *v = &s->verdict;
	int n = wanted(c, v);

	/* The first try must fail: its recording is the one that is kept. */
	if (!v->hits || v->hits >= n || is_known(c, v))
		return false;
	return v->kept || v->recorded ? v->hits == v->tries : v->tries < TRIES;
}

static bool is_proved(const struct campaign *c, const struct dh_verdict *v)
{
	return v->kind == DH_VERDICT_HARMFUL && (v->hits >= wanted(c, v) || is_known(c, v));
}

bool dh_slot_reorder(const struct campaign *c, struct slot *s)
{
	const struct dh_verdict *v = &s->verdict;

	if (s->branch.keep || v->recorded || is_proved(c, v) ||
		(v->kind != DH_VERDICT_BENIGN && v->kind != DH_VERDICT_HARMFUL) ||
		!dh_race_goes_on(s->level->at.h, race_of(s)))
		return false;
	s->branch.keep = true;
	s->left_alone = *v;
	s->verdict = (struct dh_verdict){.generate = v->generate, .ordered = true};
	return true;
}

/* Too seldom to be evidence against this race: what runs free has more than one order. */
static void excuse(struct dh_verdict *v)
{
	DH_FREE char *what = dh_strdup(v->detail);

	v->kind = v->kept ? DH_VERDICT_FAILED : DH_VERDICT_BENIGN;
	snprintf(v->detail, sizeof(v->detail), "%s in %d of %d executions: %.400s",
		v->recorded ? "stays away" : "failed", v->hits, v->tries, what);
	v->recorded = false;
}

/* A divergence is explained by a race that is nearer: the same first call against an earlier one of
 * the other process (RacePro, section 6.2). */
static const struct dh_race *find_tighter(const struct slot *s)
{
	const struct dh_porder *o = &s->level->at.h->order;
	const struct dh_races *races = s->level->races;
	const struct dh_race *race = race_of(s), *found = NULL;
	uint32_t first = race->calls[0], second = race->calls[1], best = UINT32_MAX;

	for (size_t i = 0; i < races->n; i++) {
		const struct dh_race *r = &races->races[i];
		uint32_t other = r->calls[0] == first ? r->calls[1] : r->calls[0];

		if (r == race || (r->calls[0] != first && r->calls[1] != first) ||
			o->calls[other].task != o->calls[second].task ||
			o->calls[other].index >= o->calls[second].index)
			continue;
		if (o->calls[other].index < best) {
			best = o->calls[other].index;
			found = r;
		}
	}
	return found;
}

static void name_tighter(struct slot *s)
{
	const struct dh_race *r = find_tighter(s);
	DH_BUF struct dh_buf title = DH_BUF_INIT;
	size_t n = strlen(s->verdict.detail);

	if (!r)
		return;
	dh_race_title(s->level->at.h, r, &title);
	snprintf(s->verdict.detail + n, sizeof(s->verdict.detail) - n, "; nearer: %s",
		dh_buf_str(&title));
}

void dh_slot_conclude(struct campaign *c, struct slot *s)
{
	struct dh_verdict *v = &s->verdict;

	if (v->ordered && !is_proved(c, v)) {
		s->left_alone.tries += v->tries;
		*v = s->left_alone;
	}
	if (v->kind == DH_VERDICT_HARMFUL && !is_proved(c, v))
		excuse(v);
	if (v->kind == DH_VERDICT_DIVERGED)
		name_tighter(s);
	v->like = v->kind == DH_VERDICT_HARMFUL && dh_campaign_blamed(c, v);
}
