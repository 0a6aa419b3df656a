/* make_report FORMAT SET SOURCES OUT [WIDTH [plain|color]]: a report on a set of the fixture's
 * findings, for tests that look at whole files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "fixture.h"
#include "report/report.h"

int main(int argc, char **argv)
{
	struct dh_report_options opt = {.full = true, .now = 1767312000};
	DH_FINDINGS struct dh_findings set = DH_FINDINGS_INIT;
	struct dh_error err = DH_ERROR_INIT;
	struct dh_buf out = DH_BUF_INIT;
	int format = argc > 1 ? dh_report_format_parse(argv[1]) : -1, r;

	if (argc < 5 || format < 0 || fixture_set(argv[2], &set) < 0) {
		fprintf(stderr, "usage: make_report FORMAT SET SOURCES OUT [WIDTH [color]]\n");
		return 2;
	}
	opt.source_dir = argv[3];
	if (argc > 5)
		opt.width = (unsigned)atoi(argv[5]);
	if (argc > 6)
		opt.color = opt.unicode = strcmp(argv[6], "color") == 0;
	r = dh_report_write((enum dh_report_format)format, set.items, set.n, &opt, &out, &err);
	if (r == 0)
		r = dh_write_file_atomic(argv[4], dh_buf_str(&out), out.len, &err);
	if (r < 0)
		fprintf(stderr, "make_report: %s\n", dh_error_text(&err, r));
	dh_buf_release(&out);
	return r < 0 ? 3 : 0;
}
