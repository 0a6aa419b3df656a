/* The last phase: failing schedules are made small and sure, and everything becomes findings. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fuzz/internal.h"

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

static int conclude_suspect(
	struct dh_campaign *c, struct dh_suspect *s, struct dh_findings *ret, struct dh_error *err)
{
	struct dh_finding *f;
	int r = 0;

	if (s->failing.have)
		r = dh_campaign_minimise(c, &s->failing, s->targets, s->n_targets);
	if (r == -EINTR)
		return dh_error_set(err, EINTR, "interrupted");
	/* A failure that does not come back is no proof of anything. */
	if (r == -EAGAIN) {
		c->t.unrepeatable++;
		dh_failing_release(&s->failing);
		s->failed = 0;
	} else if (r < 0) {
		return r;
	}
	f = dh_campaign_finding(c, s);
	r = s->failing.have
		    ? dh_campaign_interleave(c, &s->failing, s->targets, s->n_targets, f, err)
		    : 0;
	merge(ret, f);
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

static int conclude_stray(
	struct dh_campaign *c, struct dh_stray *x, struct dh_findings *ret, struct dh_error *err)
{
	struct dh_finding *f;
	int r = dh_campaign_minimise(c, &x->failing, x->targets, x->n_targets);

	if (r == -EAGAIN) {
		c->t.unrepeatable++;
		return 0;
	}
	if (r < 0)
		return dh_error_set(err, -r, "a failing schedule cannot be run again");
	f = dh_campaign_stray_finding(c, x);
	r = dh_campaign_interleave(c, &x->failing, x->targets, x->n_targets, f, err);
	merge(ret, f);
	return r;
}

int dh_campaign_conclude(struct dh_campaign *c, struct dh_findings *ret, struct dh_error *err)
{
	int r = 0;

	dh_campaign_phase(c, "making failing schedules small", c->suspects.n + c->n_strays);
	for (size_t i = 0; r == 0 && i < c->suspects.n; i++) {
		r = conclude_suspect(c, c->suspects.items[i], ret, err);
		dh_campaign_tick(c, i + 1, NULL);
	}
	for (size_t i = 0; r == 0 && i < c->n_strays; i++) {
		if (!explained(c, &c->strays[i]))
			r = conclude_stray(c, &c->strays[i], ret, err);
		dh_campaign_tick(c, c->suspects.n + i + 1, NULL);
	}
	dh_findings_sort(ret);
	return r;
}
