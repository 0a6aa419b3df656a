#include "report/report.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "report/internal.h"
#include "report/source.h"

static const char *const names[DH_REPORT_FORMAT_COUNT + 1] = {
	[DH_REPORT_TEXT] = "text",
	[DH_REPORT_GCC] = "gcc",
	[DH_REPORT_JSON] = "json",
	[DH_REPORT_SARIF] = "sarif",
	[DH_REPORT_HTML] = "html",
};

static int (*const writers[DH_REPORT_FORMAT_COUNT])(const struct dh_report *, struct dh_error *) = {
	[DH_REPORT_TEXT] = dh_report_text,
	[DH_REPORT_GCC] = dh_report_gcc,
	[DH_REPORT_JSON] = dh_report_json,
	[DH_REPORT_SARIF] = dh_report_sarif,
	[DH_REPORT_HTML] = dh_report_html,
};

const char *dh_report_format_name(enum dh_report_format format)
{
	return (unsigned)format < DH_REPORT_FORMAT_COUNT ? names[format] : NULL;
}

const char *const *dh_report_format_names(void)
{
	return names;
}

int dh_report_format_parse(const char *name)
{
	for (int i = 0; i < DH_REPORT_FORMAT_COUNT; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

/* Absolute, so that names which the compiler gave in full can be shortened. */
static void find_root(const char *source_dir, char ret[PATH_MAX])
{
	if (!realpath(source_dir ? source_dir : ".", ret))
		ret[0] = '\0';
}

int dh_report_write(enum dh_report_format format, struct dh_finding *const *findings, size_t n,
	const struct dh_report_options *opt, struct dh_buf *out, struct dh_error *err)
{
	static const struct dh_report_options defaults;
	char root[PATH_MAX];
	struct dh_report r = {
		.findings = findings,
		.n = n,
		.opt = opt ? opt : &defaults,
		.root = root,
		.out = out,
	};
	size_t start = out->len;
	int ret;

	if ((unsigned)format >= DH_REPORT_FORMAT_COUNT)
		return dh_error_set(err, EINVAL, "no such report format");
	find_root(r.opt->source_dir, root);
	r.sources = dh_sources_new(r.opt->source_dir);
	ret = writers[format](&r, err);
	dh_sources_free(r.sources);
	if (ret < 0 && out->data) {
		out->len = start;
		out->data[start] = '\0';
	}
	return ret;
}

uint64_t dh_report_rank(const struct dh_report *r, size_t i)
{
	return r->opt->rank ? r->opt->rank[i] : i + 1;
}

const char *dh_report_path(const struct dh_report *r, const char *file)
{
	size_t n = strlen(r->root);

	if (!file || n < 2 || strncmp(file, r->root, n) != 0 || file[n] != '/')
		return file;
	while (file[n] == '/')
		n++;
	return file[n] ? file + n : file;
}
