/* deadheat fuzz --from-store: what other commands, or an earlier run, left to be decided. */
#include <errno.h>
#include <inttypes.h>

#include "base/error.h"
#include "base/log.h"
#include "cmd/fuzz.h"
#include "fuzz/campaign.h"
#include "model/finding.h"
#include "store/store.h"

#define KIND(k)  (1u << DH_KIND_##k)
#define LEVEL(l) (1u << DH_LEVEL_##l)

static int take_all(struct dh_campaign *c, struct dh_store_cursor *cursor, struct dh_error *err)
{
	struct dh_finding *f;
	unsigned taken = 0, left = 0;
	int r;

	while ((r = dh_store_cursor_next(cursor, &f, err)) > 0) {
		struct dh_error why = DH_ERROR_INIT;

		if (dh_campaign_suspect(c, f, &why) == 0) {
			taken++;
			continue;
		}
		left++;
		dh_log_debug("not tried: %s", why.text);
	}
	if (r == 0 && left)
		dh_log_info("%u findings of the store are not in this program and are left alone",
			left);
	if (r == 0 && !taken)
		dh_log_warn("the store has no undecided finding of this program");
	return r;
}

int dh_fuzz_from_store(struct dh_campaign *c, struct dh_error *err)
{
	const struct dh_store_query q = {
		.kinds = KIND(DATA_RACE) | KIND(DEADLOCK) | KIND(ATOMICITY_VIOLATION) |
			 KIND(ORDER_VIOLATION),
		.levels = LEVEL(PREDICTED) | LEVEL(OBSERVED) | LEVEL(REFUTED),
	};
	struct dh_store_cursor *cursor = NULL;
	struct dh_store *s = NULL;
	int r = dh_store_open(dh_store_path(dh_fuzz_opt.db), DH_STORE_READ, &s, err);

	if (r == 0)
		r = dh_store_cursor_open(s, &q, &cursor, err);
	if (r == 0)
		r = take_all(c, cursor, err);
	if (cursor)
		dh_store_cursor_free(cursor);
	dh_store_close(s);
	if (r == 0)
		dh_campaign_ready(c);
	return r;
}
