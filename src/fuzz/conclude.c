/* The last phase: failing schedules are made small and sure, and everything becomes findings. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fuzz/internal.h"
#include "model/findings.h"

struct conclusion {
	struct dh_campaign *c;
	struct dh_findings *all;
	size_t sharing; /* failing schedules that are still to be made small */
};

/* Several pairs of statements on one variable between the same functions are one bug: the
 * strongest tells its story. */
static void merge(struct dh_findings *all, struct dh_finding *f)
{
	for (size_t i = 0; i < all->n; i++) {
		struct dh_finding *old = all->items[i];

		if (strcmp(old->fingerprint, f->fingerprint) != 0)
			continue;
		if (dh_level_urgency(f->level) > dh_level_urgency(old->level) ||
			(f->level == old->level && f->score > old->score)) {
			all->items[i] = f;
			f = old;
		}
		dh_finding_free(f);
		return;
	}
	dh_findings_add(all, f);
}

/* One of these is there already, and is worse or as bad: making another failing schedule small
 * would be for nothing. */
static bool is_told(const struct dh_findings *all, const struct dh_finding *f)
{
	const struct dh_finding *old = dh_findings_find(all, f->fingerprint);

	return old && old->level >= DH_LEVEL_HARMFUL;
}

static int make_small(struct conclusion *x, struct dh_failing *f,
	const struct dh_sched_target *targets, size_t n_targets, struct dh_error *err)
{
	int r = dh_campaign_minimise(x->c, f, targets, n_targets, x->sharing);

	x->sharing -= x->sharing > 1;
	x->c->t.unrepeatable += r == -EAGAIN;
	if (r < 0 && r != -EAGAIN && r != -ENOSPC)
		return dh_error_set(err, -r,
			r == -EINTR ? "interrupted" : "a failing schedule cannot be run again");
	return r;
}

static int conclude_suspect(struct conclusion *x, struct dh_suspect *s, struct dh_error *err)
{
	struct dh_finding *f = dh_campaign_describe(x->c, s);
	int r = 0;

	if (is_told(x->all, f)) {
		dh_finding_free(f);
		x->sharing -= s->failing.have && x->sharing > 1;
		return 0;
	}
	if (s->failing.have)
		r = make_small(x, &s->failing, s->targets, s->n_targets, err);
	/* A failure that does not come back, or was not tried again, is no proof of anything. */
	if (r == -EAGAIN || r == -ENOSPC) {
		dh_failing_release(&s->failing);
		s->failed = 0;
		r = 0;
	}
	if (r == 0) {
		dh_campaign_tell(x->c, s, f);
		if (s->failing.have)
			r = dh_campaign_interleave(
				x->c, &s->failing, s->targets, s->n_targets, f, err);
	}
	merge(x->all, f);
	return r;
}

/* The same failure, brought about through a suspect, is told there. */
static bool explained(const struct dh_campaign *c, const struct dh_stray *x)
{
	for (size_t i = 0; i < c->suspects.n; i++) {
		const struct dh_failing *f = &c->suspects.items[i]->failing;

		if (f->have && f->failure.key == x->failing.failure.key)
			return true;
	}
	return false;
}

static int conclude_stray(struct conclusion *x, struct dh_stray *s, struct dh_error *err)
{
	struct dh_finding *f;
	int r = make_small(x, &s->failing, s->targets, s->n_targets, err);

	if (r < 0)
		return r == -EAGAIN || r == -ENOSPC ? 0 : r;
	f = dh_campaign_stray_finding(x->c, s);
	r = dh_campaign_interleave(x->c, &s->failing, s->targets, s->n_targets, f, err);
	merge(x->all, f);
	return r;
}

static size_t count_failing(const struct dh_campaign *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->suspects.n; i++)
		n += c->suspects.items[i]->failing.have;
	for (size_t i = 0; i < c->n_strays; i++)
		n += !explained(c, &c->strays[i]);
	return n;
}

int dh_campaign_conclude(struct dh_campaign *c, struct dh_findings *ret, struct dh_error *err)
{
	struct conclusion x = {c, ret, 0};
	int r = dh_campaign_recheck(c, err);

	dh_suspects_rank(&c->suspects);
	x.sharing = count_failing(c);
	dh_campaign_phase(c, "making failing schedules small", c->suspects.n + c->n_strays);
	for (size_t i = 0; r == 0 && i < c->suspects.n; i++) {
		r = conclude_suspect(&x, c->suspects.items[i], err);
		dh_campaign_tick(c, i + 1, NULL);
	}
	for (size_t i = 0; r == 0 && i < c->n_strays; i++) {
		if (!explained(c, &c->strays[i]))
			r = conclude_stray(&x, &c->strays[i], err);
		dh_campaign_tick(c, c->suspects.n + i + 1, NULL);
	}
	dh_findings_sort(ret);
	return r;
}
