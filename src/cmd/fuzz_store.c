/* deadheat fuzz --from-store, --tsan-log: what other commands, other tools or an earlier run left
 * to be decided. */
#include <errno.h>
#include <inttypes.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/log.h"
#include "cmd/fuzz.h"
#include "fuzz/campaign.h"
#include "fuzz/tsanlog.h"
#include "model/finding.h"
#include "model/findings.h"
#include "store/store.h"

#define MAX_LOG  ((size_t)256 << 20)
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

/* The findings go to the campaign, one by one. */
static unsigned take_log(struct dh_campaign *c, struct dh_findings *found)
{
	unsigned taken = 0;

	for (size_t i = 0; i < found->n; i++) {
		struct dh_error why = DH_ERROR_INIT;

		if (dh_campaign_suspect(c, found->items[i], &why) == 0)
			taken++;
		else
			dh_log_info("not tried: %s", why.text);
	}
	found->n = 0;
	return taken;
}

static int from_log(struct dh_campaign *c, const char *path, struct dh_error *err)
{
	DH_FINDINGS struct dh_findings found = DH_FINDINGS_INIT;
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	struct dh_tsan_log log;
	unsigned taken;
	int r = dh_read_file(path, MAX_LOG, &text, err);

	if (r < 0)
		return r;
	dh_tsan_log_read(dh_buf_str(&text), text.len, &found, &log);
	if (!log.reports)
		return dh_error_set(err, EBADMSG,
			"%s: no report of ThreadSanitizer in it ('WARNING: ThreadSanitizer: ...'); "
			"TSAN_OPTIONS=log_path=FILE makes it write one",
			path);
	taken = take_log(c, &found);
	dh_log_info("%s: %zu report%s, of which %u %s tried", path, log.reports,
		log.reports == 1 ? "" : "s", taken, taken == 1 ? "is" : "are");
	if (log.damaged)
		dh_log_warn("%s: reports without two places in a program: %zu", path, log.damaged);
	if (log.other)
		dh_log_warn("%s: reports of kinds that no schedule decides: %zu", path, log.other);
	return 0;
}

int dh_fuzz_from_logs(struct dh_campaign *c, struct dh_error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < dh_fuzz_opt.logs.n; i++)
		r = from_log(c, dh_fuzz_opt.logs.items[i], err);
	return r;
}
