/* Text for people: the list.  What there is to say about one finding is in text_show.c. */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "report/internal.h"
#include "report/layout.h"
#include "report/text.h"

enum dh_style dh_text_level_style(enum dh_level level)
{
	static const enum dh_style styles[DH_LEVEL_COUNT] = {
		[DH_LEVEL_PREDICTED] = DH_STYLE_CYAN,
		[DH_LEVEL_REFUTED] = DH_STYLE_DIM,
		[DH_LEVEL_OBSERVED] = DH_STYLE_YELLOW,
		[DH_LEVEL_CONFIRMED] = DH_STYLE_MAGENTA,
		[DH_LEVEL_BENIGN] = DH_STYLE_GREEN,
		[DH_LEVEL_HARMFUL] = DH_STYLE_ALERT,
		[DH_LEVEL_EXPLAINED] = DH_STYLE_ALERT,
	};

	return styles[level];
}

static void put_places(const struct dh_report *r, const struct dh_finding *f, struct dh_layout *l)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	for (size_t i = 0; i < f->n_sites && i < 3; i++) {
		if (i)
			dh_buf_adds(&b, " / ");
		dh_words_place(&b, r, &f->sites[i].at);
	}
	if (f->n_sites > 3)
		dh_buf_addf(&b, " / %zu more", f->n_sites - 3);
	dh_layout_put(l, DH_STYLE_BLUE, dh_buf_str(&b));
}

/* Roles of sites that are no accesses, as verbs. */
static const char *role_words(const char *role)
{
	static const char *const words[][2] = {
		{"wants", "waits for a lock"},
		{"joins", "waits for the end of a thread"},
		{"holds", "took it"},
		{"acquires", "takes it"},
		{"acquires again", "takes it again"},
		{"releases", "releases it"},
		{"destroys", "destroys it"},
	};

	for (size_t i = 0; role && i < DH_ARRAY_SIZE(words); i++)
		if (strcmp(role, words[i][0]) == 0)
			return words[i][1];
	return role ? role : "is";
}

/* What one side does, in words: "thread worker writes it at a.c:3 in run, no lock held". */
static void put_side(
	const struct dh_report *r, const struct dh_site *s, struct dh_layout *l, size_t indent)
{
	static const char *const verbs[] = {
		[DH_ACCESS_READ] = "reads it",
		[DH_ACCESS_WRITE] = "writes it",
		[DH_ACCESS_UPDATE] = "updates it",
	};
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	bool access = s->access.kind == DH_ACCESS_READ || s->access.kind == DH_ACCESS_WRITE ||
		      s->access.kind == DH_ACCESS_UPDATE;

	dh_layout_tab(l, indent);
	dh_layout_put(l, DH_STYLE_CYAN, s->who);
	if (dh_site_is_held(s) && s->n_locks == 1)
		dh_layout_putf(l, DH_STYLE_NONE, " took %s", s->locks[0]);
	else
		dh_layout_putf(l, DH_STYLE_NONE, " %s",
			access ? verbs[s->access.kind] : role_words(s->role));
	dh_words_place(&b, r, &s->at);
	dh_layout_put(l, DH_STYLE_NONE, " at ");
	dh_layout_put(l, DH_STYLE_BLUE, dh_buf_str(&b));
	if (s->at.function)
		dh_layout_putf(l, DH_STYLE_NONE, " in %s", s->at.function);
	if (access && !s->n_locks)
		dh_layout_put(l, DH_STYLE_NONE, ", no lock held");
	for (size_t i = 0; i < s->n_locks && !dh_site_is_held(s); i++)
		dh_layout_putf(l, DH_STYLE_NONE, "%s%s", i ? ", " : ", holding ", s->locks[i]);
	dh_layout_wrap(l, indent + 2);
}

/* Of what nobody has seen yet, the sides say more than their places. */
static bool has_sides(const struct dh_finding *f)
{
	return f->level == DH_LEVEL_PREDICTED && f->n_sites && f->sites[0].who &&
	       (f->n_sites == 1 || f->sites[1].who);
}

static void put_sides(
	const struct dh_report *r, const struct dh_finding *f, struct dh_layout *l, size_t indent)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	size_t n = f->kind == DH_KIND_DEADLOCK ? f->n_sites : 2;

	for (size_t i = 0; i < f->n_sites && i < n; i++)
		put_side(r, &f->sites[i], l, indent);
	if (f->n_sites <= n)
		return;
	for (size_t i = n; i < f->n_sites && i < n + 3; i++) {
		dh_buf_adds(&b, i > n ? ", " : "");
		dh_words_place(&b, r, &f->sites[i].at);
	}
	dh_layout_tab(l, indent);
	dh_layout_put(l, DH_STYLE_NONE, "also: ");
	dh_layout_put(l, DH_STYLE_BLUE, dh_buf_str(&b));
	if (f->n_sites > n + 3)
		dh_layout_putf(l, DH_STYLE_NONE, " and %zu more", f->n_sites - n - 3);
	dh_layout_wrap(l, indent + 2);
}

static void put_reasons(const struct dh_finding *f, struct dh_layout *l, size_t indent)
{
	if (!f->n_reasons)
		return;
	dh_layout_tab(l, indent);
	for (size_t i = 0; i < f->n_reasons; i++) {
		dh_layout_put(l, DH_STYLE_DIM, i ? "; " : "because ");
		dh_layout_put(l, DH_STYLE_DIM, f->reasons[i]);
	}
	dh_layout_wrap(l, indent + 2);
}

static void add_entry(const struct dh_report *r, size_t i, struct dh_layout *l)
{
	const struct dh_finding *f = r->findings[i];
	size_t indent = 6;

	dh_layout_putf(l, DH_STYLE_DIM, "%4" PRIu64 "  ", dh_report_rank(r, i));
	dh_layout_putf(l, dh_text_level_style(f->level), "%-9s  ", dh_level_name(f->level));
	dh_layout_putf(l, DH_STYLE_BOLD, "%s  ", dh_kind_name(f->kind));
	dh_layout_put(l, DH_STYLE_NONE, f->id);
	if (f->suppressed)
		dh_layout_put(l, DH_STYLE_DIM, "  (suppressed)");
	dh_layout_wrap(l, indent);

	dh_layout_tab(l, indent);
	dh_layout_put(l, DH_STYLE_NONE, f->title ? f->title : dh_kind_words(f->kind)->name);
	dh_layout_wrap(l, indent);
	if (has_sides(f)) {
		put_sides(r, f, l, indent);
	} else if (f->n_sites) {
		dh_layout_tab(l, indent);
		put_places(r, f, l);
		dh_layout_wrap(l, indent);
	}
	put_reasons(f, l, indent);
	if (f->mend) {
		dh_layout_tab(l, indent);
		dh_layout_putf(l, DH_STYLE_NONE, "what to do: %s", f->mend);
		dh_layout_wrap(l, indent + 2);
	}
	dh_layout_wrap(l, 0);
}

static void add_counts(const struct dh_report *r, struct dh_layout *l)
{
	size_t count[DH_LEVEL_COUNT] = {0}, suppressed = 0;
	const char *sep = ": ";

	for (size_t i = 0; i < r->n; i++) {
		count[r->findings[i]->level]++;
		suppressed += r->findings[i]->suppressed;
	}
	dh_layout_putf(l, DH_STYLE_BOLD, "%zu finding%s", r->n, r->n == 1 ? "" : "s");
	for (size_t i = 0; i < DH_LEVEL_COUNT; i++) {
		enum dh_level level = dh_report_urgent_level(i);

		if (!count[level])
			continue;
		dh_layout_put(l, DH_STYLE_NONE, sep);
		dh_layout_putf(l, dh_text_level_style(level), "%zu %s", count[level],
			dh_level_name(level));
		sep = ", ";
	}
	if (suppressed)
		dh_layout_putf(l, DH_STYLE_DIM, " (%zu suppressed)", suppressed);
	dh_layout_wrap(l, 2);
}

/* What was not seen is part of the result. */
static void add_gaps(const struct dh_report *r, struct dh_layout *l)
{
	if (r->opt->lost_events) {
		dh_layout_putf(l, DH_STYLE_YELLOW, "%" PRIu64 " events lost", r->opt->lost_events);
		dh_layout_wrap(l, 2);
	}
	for (size_t i = 0; i < r->opt->n_skipped; i++) {
		dh_layout_put(l, DH_STYLE_YELLOW, "skipped: ");
		dh_layout_put(l, DH_STYLE_NONE, r->opt->skipped[i]);
		dh_layout_wrap(l, 2);
	}
}

int dh_report_text(const struct dh_report *r, struct dh_error *err)
{
	const struct dh_report_options *o = r->opt;
	size_t width = o->width ? DH_MAX(o->width, 40u) : 80;

	(void)err;
	for (size_t i = 0; i <= r->n; i++) {
		struct dh_layout l;

		dh_layout_init(&l, width, o->color, o->unicode);
		if (i == r->n) {
			if (!o->full)
				add_counts(r, &l);
			add_gaps(r, &l);
		} else if (o->full) {
			dh_text_show(r, i, &l);
		} else {
			add_entry(r, i, &l);
		}
		dh_layout_write(&l, r->out);
		dh_layout_release(&l);
	}
	return 0;
}
