/* One HTML page that needs nothing beside itself: html/ has the page, this file its findings.
 * They stand in two blocks of JSON, which a browser does not run and in which "<" is written as
 * \u003c, so that no string can end the block.  The index is read when the page opens, and has
 * only what the list shows and searches; the details are one line for each finding, read when
 * somebody opens it, which keeps a page of many thousands quick. */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/map.h"
#include "report/html/page.h"
#include "report/internal.h"
#include "report/source.h"

#define CONTEXT 4

static void add_safe(struct dh_buf *out, const struct dh_buf *json)
{
	const char *p = dh_buf_str(json), *end = p + json->len;

	for (const char *lt; (lt = memchr(p, '<', (size_t)(end - p))); p = lt + 1) {
		dh_buf_add(out, p, (size_t)(lt - p));
		dh_buf_adds(out, "\\u003c");
	}
	dh_buf_add(out, p, (size_t)(end - p));
}

static void add_words(struct dh_json *j)
{
	dh_json_array(j, "levels");
	for (size_t i = 0; i < DH_LEVEL_COUNT; i++) {
		enum dh_level level = dh_report_urgent_level(i);

		dh_json_object(j, NULL);
		dh_json_string(j, "name", dh_level_name(level));
		dh_json_string(j, "about", dh_level_about(level));
		dh_json_end_object(j);
	}
	dh_json_end_array(j);
	dh_json_array(j, "kinds");
	for (int i = 0; i < DH_KIND_COUNT; i++) {
		const struct dh_kind_words *w = dh_kind_words((enum dh_kind)i);

		dh_json_object(j, NULL);
		dh_json_string(j, "name", dh_kind_name((enum dh_kind)i));
		dh_json_string(j, "title", w->name);
		dh_json_string(j, "about", w->about);
		dh_json_string(j, "mend", w->mend);
		dh_json_end_object(j);
	}
	dh_json_end_array(j);
}

static void add_places(struct dh_json *j, const struct dh_report *r, const struct dh_finding *f)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	for (size_t i = 0; i < f->n_sites && i < 2; i++) {
		if (i)
			dh_buf_adds(&b, ", ");
		dh_words_place(&b, r, &f->sites[i].at);
	}
	dh_json_string(j, NULL, dh_buf_str(&b));
}

/* What a search finds beside what the list shows. */
static void add_more(struct dh_json *j, const struct dh_report *r, const struct dh_finding *f)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	const char *words[] = {f->variable, f->object, f->failure.what, f->failure.detail};

	for (size_t i = 0; i < DH_ARRAY_SIZE(words); i++)
		if (words[i])
			dh_buf_addf(&b, "%s\n", words[i]);
	for (size_t i = 0; i < f->n_sites; i++) {
		const struct dh_site *s = &f->sites[i];

		dh_buf_addf(
			&b, "%s\n%s\n", s->at.function ? s->at.function : "", s->who ? s->who : "");
		if (i >= 2 && s->at.file)
			dh_buf_addf(&b, "%s\n", dh_report_path(r, s->at.file));
	}
	dh_json_string(j, NULL, dh_buf_str(&b));
}

static void add_origins(struct dh_json *j, const struct dh_finding *f, struct dh_strset *origins)
{
	const char *names[DH_MAX_ORIGINS];
	size_t n = dh_report_origins(f, names);

	dh_json_array(j, NULL);
	for (size_t i = 0; i < n; i++)
		dh_json_uint(j, NULL, dh_strset_add(origins, names[i]));
	dh_json_end_array(j);
}

/* data.js knows the order. */
static void add_row(
	struct dh_json *j, const struct dh_report *r, size_t i, struct dh_strset *origins)
{
	const struct dh_finding *f = r->findings[i];

	dh_json_array(j, NULL);
	dh_json_string(j, NULL, f->id);
	dh_json_uint(j, NULL, dh_report_rank(r, i));
	dh_json_int(j, NULL, f->kind);
	dh_json_uint(j, NULL, DH_LEVEL_COUNT - 1 - dh_level_urgency(f->level));
	dh_json_double(j, NULL, f->score);
	dh_json_string(j, NULL, f->title ? f->title : dh_kind_words(f->kind)->name);
	add_places(j, r, f);
	add_origins(j, f, origins);
	dh_json_bool(j, NULL, f->suppressed);
	add_more(j, r, f);
	dh_json_end_array(j);
}

static void add_about(struct dh_json *j, const struct dh_report *r)
{
	char when[32];

	dh_json_string(j, "version", DH_VERSION);
	dh_json_string(j, "generated", dh_words_time(when, r->opt->now) ? when : NULL);
	dh_json_uint(j, "lost_events", r->opt->lost_events);
	dh_json_array(j, "skipped");
	for (size_t i = 0; i < r->opt->n_skipped; i++)
		dh_json_string(j, NULL, r->opt->skipped[i]);
	dh_json_end_array(j);
}

static void add_index(const struct dh_report *r)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	struct dh_strset origins;
	struct dh_json j;

	dh_strset_init(&origins);
	dh_json_init(&j, &b, 0);
	dh_json_object(&j, NULL);
	add_about(&j, r);
	add_words(&j);
	dh_json_array(&j, "rows");
	for (size_t i = 0; i < r->n; i++)
		add_row(&j, r, i, &origins);
	dh_json_end_array(&j);
	dh_json_array(&j, "origins");
	for (size_t i = 0; i < origins.n; i++)
		dh_json_string(&j, NULL, dh_strset_get(&origins, (uint32_t)i));
	dh_json_end_array(&j);
	dh_json_end_object(&j);
	add_safe(r->out, &b);
	dh_strset_release(&origins);
}

/* The marked line in three pieces: the page counts characters otherwise than bytes. */
static void add_mark(struct dh_json *j, const struct dh_excerpt *e)
{
	const char *text = e->lines[e->line - e->first].text;
	size_t len = e->lines[e->line - e->first].len;
	size_t mark = DH_MIN(e->mark, len), marked = DH_MIN(e->mark_bytes, len - mark);

	dh_json_array(j, "mark");
	dh_json_stringn(j, NULL, text, mark);
	dh_json_stringn(j, NULL, text + mark, marked);
	dh_json_stringn(j, NULL, text + mark + marked, len - mark - marked);
	dh_json_end_array(j);
}

static void add_excerpt(struct dh_json *j, const struct dh_report *r, const struct dh_finding *f,
	const struct dh_site *s)
{
	struct dh_excerpt e;

	dh_sources_excerpt(r->sources, s, f->variable, CONTEXT, dh_report_seen(f), &e);
	if (!e.n && !e.note[0]) {
		dh_json_null(j, NULL);
		return;
	}
	dh_json_object(j, NULL);
	dh_json_string(j, "note", e.note);
	dh_json_uint(j, "first", e.first);
	dh_json_uint(j, "line", e.line);
	dh_json_array(j, "lines");
	for (uint32_t i = 0; i < e.n; i++)
		dh_json_stringn(j, NULL, e.lines[i].text, e.lines[i].len);
	dh_json_end_array(j);
	if (e.n)
		add_mark(j, &e);
	dh_json_end_object(j);
}

static void add_detail(const struct dh_report *r, size_t i, struct dh_buf *b)
{
	const struct dh_finding *f = r->findings[i];
	struct dh_json j;

	dh_buf_clear(b);
	dh_json_init(&j, b, 0);
	dh_json_object(&j, NULL);
	dh_report_json_finding(&j, "finding", r, f, dh_report_rank(r, i));
	dh_json_array(&j, "excerpts");
	for (size_t k = 0; k < f->n_sites; k++)
		add_excerpt(&j, r, f, &f->sites[k]);
	dh_json_end_array(&j);
	dh_json_end_object(&j);
	add_safe(r->out, b);
	dh_buf_addc(r->out, '\n');
}

int dh_report_html(const struct dh_report *r, struct dh_error *err)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	(void)err;
	dh_buf_add(r->out, dh_html_head, dh_html_head_len);
	add_index(r);
	dh_buf_add(r->out, dh_html_middle, dh_html_middle_len);
	for (size_t i = 0; i < r->n; i++)
		add_detail(r, i, &b);
	dh_buf_add(r->out, dh_html_tail, dh_html_tail_len);
	return 0;
}
