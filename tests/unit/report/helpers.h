/* What the tests of formats share: a report as a string. */
#pragma once
#include <stdlib.h>

#include "base/buf.h"
#include "fixture.h"
#include "model/finding.h"
#include "report/report.h"

/* free() it. */
static inline char *report_findings(
	struct dh_findings *set, enum dh_report_format format, const struct dh_report_options *opt)
{
	struct dh_buf out = DH_BUF_INIT;

	dh_buf_adds(&out, "");
	assert_int_equal(dh_report_write(format, set->items, set->n, opt, &out, NULL), 0);
	dh_findings_release(set);
	return dh_buf_steal(&out);
}

static inline char *report_one(struct dh_finding *(*make)(void), enum dh_report_format format,
	const struct dh_report_options *opt)
{
	struct dh_findings set = DH_FINDINGS_INIT;

	dh_findings_add(&set, make());
	return report_findings(&set, format, opt);
}

static inline char *report_set(
	const char *name, enum dh_report_format format, const struct dh_report_options *opt)
{
	struct dh_findings set = DH_FINDINGS_INIT;

	assert_int_equal(fixture_set(name, &set), 0);
	return report_findings(&set, format, opt);
}
