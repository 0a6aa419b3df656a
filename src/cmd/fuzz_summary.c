/* What deadheat fuzz says at the end. */
#include <inttypes.h>
#include <stdio.h>

#include "base/log.h"
#include "cmd/fuzz.h"
#include "fuzz/campaign.h"
#include "model/findings.h"
#include "store/store.h"

static void say_levels(const struct dh_findings *found, char *ret, size_t size)
{
	size_t used = 0;

	ret[0] = 0;
	for (int level = DH_LEVEL_COUNT - 1; level >= 0; level--) {
		size_t n = 0;

		for (size_t i = 0; i < found->n; i++)
			n += found->items[i]->level == (enum dh_level)level;
		if (n && used < size)
			used += (size_t)snprintf(ret + used, size - used, "%s%zu %s",
				used ? ", " : "", n, dh_level_name((enum dh_level)level));
	}
}

static const char *s_if_many(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void say_losses(const struct dh_campaign_totals *t)
{
	if (t->native_status)
		dh_log_info("the undisturbed program exits with status %d, which was not counted "
			    "as a failure",
			t->native_status);
	else if (t->native_failed)
		dh_log_info("it failed by itself in %" PRIu64 " of %" PRIu64 " undisturbed runs",
			t->native_failed, t->native);
	if (t->differed && !t->first_failure)
		dh_log_info("%" PRIu64
			    " schedule%s printed something else than the undisturbed run; "
			    "if that is wrong, say so with --compare-output or --check",
			t->differed, s_if_many(t->differed));
	if (t->undecided)
		dh_log_warn("%" PRIu64 " schedule%s tell nothing: %s", t->undecided,
			s_if_many(t->undecided), t->note);
	if (t->unrepeatable)
		dh_log_warn("%" PRIu64 " failure%s did not come back when the schedule was run "
			    "again, and are not reported",
			t->unrepeatable, s_if_many(t->unrepeatable));
	if (t->lost_candidates)
		dh_log_warn("%" PRIu64 " suspect%s did not fit into the table", t->lost_candidates,
			s_if_many(t->lost_candidates));
	if (t->lost_history)
		dh_log_debug(
			"%" PRIu64 " accesses could not be kept for comparison", t->lost_history);
	if (t->interrupted)
		dh_log_warn("interrupted: not everything was tried");
	else if (t->untried)
		dh_log_warn("the %s over before %" PRIu64 " suspect%s could be tried; give more "
			    "with --%s",
			t->out_of_time ? "time was" : "schedules were", t->untried,
			s_if_many(t->untried), t->out_of_time ? "time" : "schedules");
	else if (t->out_of_time)
		dh_log_warn("the time was over; give more with --time");
	else if (t->out_of_schedules)
		dh_log_info("not every suspect had all of its seeds; --schedules gives more");
	if (t->outside)
		dh_log_info("in %" PRIu64
			    " of the runs something outside of the program was waited "
			    "for, which no seed repeats",
			t->outside);
}

void dh_fuzz_summary(const struct dh_campaign *c, const struct dh_findings *found)
{
	struct dh_campaign_totals t = dh_campaign_totals(c);
	uint64_t all = t.runs + t.minimising;
	char levels[128];

	say_levels(found, levels, sizeof(levels));
	dh_log_info("%" PRIu64 " schedule%s in %.1f s: %s", all, s_if_many(all), t.seconds,
		found->n ? levels : "nothing was found");
	if (t.first_failure)
		dh_log_info("the first failure came with schedule %" PRIu64 "; %" PRIu64
			    " made failing ones small",
			t.first_failure, t.minimising);
	dh_log_debug("%.0f schedules a second, %" PRIu64 " of them to predict",
		t.running > 0 ? (double)t.runs / t.running : 0.0, t.predicting);
	say_losses(&t);
}
