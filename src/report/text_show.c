/* Text for people: all there is to say about one finding. */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "report/text.h"

#define TWO_COLUMNS 120

static void add_title(const struct dh_report *r, size_t i, struct dh_layout *l)
{
	const struct dh_finding *f = r->findings[i];
	const char *origins[DH_MAX_ORIGINS];
	size_t n = dh_report_origins(f, origins);

	dh_layout_putf(l, DH_STYLE_BOLD, "%s %s: ", dh_kind_words(f->kind)->name, f->id);
	dh_layout_put(l, dh_text_level_style(f->level), dh_level_name(f->level));
	dh_layout_putf(l, DH_STYLE_DIM, " (%s)", dh_level_about(f->level));
	if (f->suppressed)
		dh_layout_put(l, DH_STYLE_YELLOW, " (suppressed)");
	dh_layout_wrap(l, 2);
	if (f->title) {
		dh_layout_put(l, DH_STYLE_BOLD, f->title);
		dh_layout_wrap(l, 2);
	}
	dh_layout_putf(
		l, DH_STYLE_DIM, "rank %" PRIu64 ", score %.4g", dh_report_rank(r, i), f->score);
	for (size_t k = 0; k < n; k++) {
		dh_layout_put(l, DH_STYLE_DIM, k ? ", " : ", from ");
		dh_layout_put(l, DH_STYLE_DIM, origins[k]);
	}
	dh_layout_wrap(l, 2);
	dh_layout_wrap(l, 0);
}

static void add_fact(struct dh_layout *l, enum dh_style style, const char *name, const char *value)
{
	if (!value)
		return;
	dh_layout_put(l, DH_STYLE_DIM, name);
	dh_layout_tab(l, 13);
	dh_layout_put(l, style, value);
	dh_layout_wrap(l, 13);
}

static void add_failure(const struct dh_failure *f, struct dh_layout *l)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	if (!f->what)
		return;
	dh_buf_adds(&b, f->what);
	if (f->status)
		dh_buf_addf(&b, " (exit status %d)", f->status);
	if (f->detail)
		dh_buf_addf(&b, ": %s", f->detail);
	add_fact(l, DH_STYLE_ALERT, "failure", dh_buf_str(&b));
}

static void add_sites(const struct dh_report *r, const struct dh_finding *f, struct dh_layout *l)
{
	size_t i = 0;

	if (f->n_sites >= 2 && l->width >= TWO_COLUMNS) {
		dh_text_pair(r, f, l);
		dh_layout_wrap(l, 0);
		i = 2;
	}
	for (; i < f->n_sites; i++) {
		dh_text_site(r, f, &f->sites[i], l);
		dh_layout_wrap(l, 0);
	}
}

static void add_rung(const struct dh_evidence *e, struct dh_layout *l)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	char when[32];

	dh_layout_put(l, DH_STYLE_NONE, "  ");
	dh_layout_putf(l, dh_text_level_style(e->level), "%-9s", dh_level_name(e->level));
	dh_layout_put(l, DH_STYLE_NONE, " by ");
	dh_layout_put(l, DH_STYLE_BOLD, e->by ? e->by : "?");
	if (dh_words_time(when, e->when))
		dh_layout_putf(l, DH_STYLE_DIM, " on %s", when);
	dh_words_budget(&b, e);
	if (b.len) {
		dh_layout_put(l, DH_STYLE_NONE, ": ");
		dh_layout_put(l, DH_STYLE_NONE, dh_buf_str(&b));
	}
	if (e->note) {
		dh_layout_put(l, DH_STYLE_NONE, "; ");
		dh_layout_put(l, DH_STYLE_NONE, e->note);
	}
	dh_layout_wrap(l, 12);
	if (e->reproduce) {
		dh_layout_tab(l, 12);
		dh_layout_put(l, DH_STYLE_DIM, e->reproduce);
		dh_layout_wrap(l, 14);
	}
}

static void add_evidence(const struct dh_finding *f, struct dh_layout *l)
{
	if (!f->n_evidence)
		return;
	dh_layout_put(l, DH_STYLE_BOLD, "Evidence");
	dh_layout_wrap(l, 0);
	for (size_t i = 0; i < f->n_evidence; i++)
		add_rung(&f->evidence[i], l);
	dh_layout_wrap(l, 0);
}

static void add_reasons(const struct dh_finding *f, struct dh_layout *l)
{
	if (!f->n_reasons)
		return;
	dh_layout_put(l, DH_STYLE_BOLD, "Why it ranks here");
	dh_layout_wrap(l, 0);
	for (size_t i = 0; i < f->n_reasons; i++) {
		dh_layout_put(l, DH_STYLE_NONE, "  - ");
		dh_layout_put(l, DH_STYLE_NONE, f->reasons[i]);
		dh_layout_wrap(l, 4);
	}
	dh_layout_wrap(l, 0);
}

/* The command stands alone on its line and is never broken, so that it can be copied. */
static void add_reproduce(const struct dh_finding *f, struct dh_layout *l)
{
	const char *command = dh_finding_reproduce(f);
	size_t width = l->width;

	if (!command)
		return;
	dh_layout_put(l, DH_STYLE_BOLD, "Reproduce");
	dh_layout_wrap(l, 0);
	l->width = SIZE_MAX;
	dh_layout_put(l, DH_STYLE_GREEN, "  ");
	dh_layout_put(l, DH_STYLE_GREEN, command);
	dh_layout_cut(l);
	l->width = width;
	dh_layout_wrap(l, 0);
}

void dh_text_show(const struct dh_report *r, size_t i, struct dh_layout *l)
{
	const struct dh_finding *f = r->findings[i];
	size_t before;

	add_title(r, i, l);
	before = l->n;
	add_fact(l, DH_STYLE_BOLD, "variable", f->variable);
	add_fact(l, DH_STYLE_NONE, "object", f->object);
	add_failure(&f->failure, l);
	if (l->n > before)
		dh_layout_wrap(l, 0);
	add_sites(r, f, l);
	if (f->allocated.n) {
		dh_text_stack(r, "Allocated at", &f->allocated, l);
		dh_layout_wrap(l, 0);
	}
	dh_text_steps(r, f, l);
	add_reasons(f, l);
	add_evidence(f, l);
	add_reproduce(f, l);
	add_fact(l, DH_STYLE_NONE, "what to do", f->mend ? f->mend : dh_kind_words(f->kind)->mend);
	add_fact(l, DH_STYLE_DIM, "fingerprint", f->fingerprint);
	dh_layout_wrap(l, 0);
}
