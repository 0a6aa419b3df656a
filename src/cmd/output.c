#include "cmd/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "model/findings.h"
#include "report/report.h"

const char *const dh_color_names[] = {"auto", "always", "never", NULL};
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

static unsigned terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return columns ? (unsigned)DH_MIN(strtoul(columns, NULL, 10), 1000ul) : 0;
}

static bool locale_is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < DH_ARRAY_SIZE(names); i++) {
		const char *v = getenv(names[i]);

		if (v && v[0])
			return strcasestr(v, "utf-8") || strcasestr(v, "utf8");
	}
	return false;
}

int dh_output_write(const struct dh_output *o, const struct dh_findings *found,
	const struct dh_report_options *more, struct dh_error *err)
{
	bool terminal = !o->output && isatty(STDOUT_FILENO);
	struct dh_report_options ro = more ? *more : (struct dh_report_options){0};
	DH_BUF struct dh_buf out = DH_BUF_INIT;
	int r;

	ro.color = o->color == COLOR_ALWAYS ||
		   (o->color == COLOR_AUTO && terminal && !getenv("NO_COLOR"));
	ro.unicode = locale_is_utf8();
	ro.width = o->output ? 0 : terminal_width();
	ro.now = o->format == DH_REPORT_HTML ? (int64_t)time(NULL) : 0;
	r = dh_report_write(
		(enum dh_report_format)o->format, found->items, found->n, &ro, &out, err);
	if (r < 0)
		return r;
	if (o->output)
		return dh_write_file_atomic(o->output, dh_buf_str(&out), out.len, err);
	fwrite(dh_buf_str(&out), 1, out.len, stdout);
	return 0;
}
