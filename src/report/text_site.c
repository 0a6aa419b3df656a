/* Text for people: one side of a race, with its source and stacks. */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "report/source.h"
#include "report/text.h"

#define CONTEXT    3
#define MAX_FRAMES 64

void dh_text_stack(const struct dh_report *r, const char *heading, const struct dh_stack *s,
	struct dh_layout *l)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	if (!s->n)
		return;
	dh_layout_put(l, DH_STYLE_BOLD, heading);
	dh_layout_wrap(l, 2);
	for (size_t i = 0; i < s->n && i < MAX_FRAMES; i++) {
		dh_buf_clear(&b);
		dh_words_frame(&b, r, &s->frames[i], i);
		dh_layout_tab(l, 2);
		dh_layout_put(l, i ? DH_STYLE_NONE : DH_STYLE_BOLD, dh_buf_str(&b));
		dh_layout_wrap(l, 6);
	}
	if (s->n > MAX_FRAMES) {
		dh_layout_putf(l, DH_STYLE_DIM, "  ... %zu more frames", s->n - MAX_FRAMES);
		dh_layout_wrap(l, 2);
	}
}

/* Bytes of a line of source, tabs blown up to eight columns as counted from base. */
static void put_source(
	struct dh_layout *l, enum dh_style style, const char *s, size_t n, size_t base)
{
	for (size_t i = 0; i < n;) {
		const char *tab = memchr(s + i, '\t', n - i);
		size_t run = tab ? (size_t)(tab - s) - i : n - i;

		dh_layout_putn(l, style, s + i, run);
		i += run;
		if (tab) {
			dh_layout_tab(l, base + ((l->n_cells - base) / 8 + 1) * 8);
			i++;
		}
	}
}

static void put_gutter(struct dh_layout *l, uint32_t line, bool here)
{
	dh_layout_put(l, DH_STYLE_ALERT, here ? " > " : "   ");
	if (line)
		dh_layout_putf(l, here ? DH_STYLE_BOLD : DH_STYLE_DIM, "%5" PRIu32, line);
	else
		dh_layout_put(l, DH_STYLE_DIM, "     ");
	dh_layout_put(l, DH_STYLE_DIM, l->unicode ? " \xe2\x94\x82 " : " | ");
}

static void add_marked_line(struct dh_layout *l, const struct dh_excerpt *e, uint32_t i)
{
	const char *text = e->lines[i].text;
	size_t len = e->lines[i].len, base, from, to;
	size_t mark = DH_MIN(e->mark, len), marked = DH_MIN(e->mark_bytes, len - mark);

	put_gutter(l, e->first + i, true);
	base = l->n_cells;
	put_source(l, DH_STYLE_NONE, text, mark, base);
	from = l->n_cells;
	put_source(l, DH_STYLE_ALERT, text + mark, marked, base);
	to = l->n_cells;
	put_source(l, DH_STYLE_NONE, text + mark + marked, len - mark - marked, base);
	dh_layout_cut(l);

	put_gutter(l, 0, false);
	dh_layout_tab(l, from);
	dh_layout_put(l, DH_STYLE_ALERT, "^");
	while (l->n_cells < to)
		dh_layout_put(l, DH_STYLE_ALERT, "~");
	dh_layout_cut(l);
}

static void add_source(const struct dh_report *r, const struct dh_finding *f,
	const struct dh_site *s, struct dh_layout *l)
{
	struct dh_excerpt e;

	dh_sources_excerpt(r->sources, s, f->variable, CONTEXT, dh_report_seen(f), &e);
	for (uint32_t i = 0; i < e.n; i++) {
		if (e.first + i == e.line) {
			add_marked_line(l, &e, i);
			continue;
		}
		put_gutter(l, e.first + i, false);
		put_source(l, DH_STYLE_DIM, e.lines[i].text, e.lines[i].len, l->n_cells);
		dh_layout_cut(l);
	}
	if (e.note[0]) {
		dh_layout_put(l, DH_STYLE_YELLOW, "   (");
		dh_layout_put(l, DH_STYLE_YELLOW, e.note);
		dh_layout_put(l, DH_STYLE_YELLOW, ")");
		dh_layout_wrap(l, 4);
	}
}

static void add_locks(const struct dh_site *s, struct dh_layout *l)
{
	if (!s->n_locks && s->access.kind == DH_ACCESS_NONE)
		return;
	dh_layout_put(l, DH_STYLE_DIM, "locks held: ");
	if (!s->n_locks)
		dh_layout_put(l, DH_STYLE_NONE, "none");
	for (size_t i = 0; i < s->n_locks; i++) {
		dh_layout_put(l, DH_STYLE_NONE, i ? ", " : "");
		dh_layout_put(l, DH_STYLE_GREEN, s->locks[i]);
	}
	dh_layout_wrap(l, 12);
}

static void add_head(const struct dh_report *r, const struct dh_site *s, struct dh_layout *l)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	if (s->role && s->access.kind != DH_ACCESS_NONE)
		dh_layout_putf(l, DH_STYLE_BOLD, "%s: ", s->role);
	dh_words_access(&b, s);
	dh_layout_put(l, DH_STYLE_BOLD, dh_buf_str(&b));
	if (s->who) {
		dh_layout_put(l, DH_STYLE_NONE, " by ");
		dh_layout_put(l, DH_STYLE_CYAN, s->who);
	}
	dh_layout_wrap(l, 2);
	dh_buf_clear(&b);
	dh_words_place(&b, r, &s->at);
	dh_layout_put(l, DH_STYLE_DIM, "at ");
	dh_layout_put(l, DH_STYLE_BLUE, dh_buf_str(&b));
	if (s->at.function) {
		dh_layout_put(l, DH_STYLE_DIM, " in ");
		dh_layout_put(l, DH_STYLE_NONE, s->at.function);
	}
	dh_layout_wrap(l, 3);
}

static void add_about(const struct dh_report *r, const struct dh_finding *f,
	const struct dh_site *s, struct dh_layout *l)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	(void)f;
	add_head(r, s, l);
	add_locks(s, l);
	if (s->access.has_values) {
		dh_words_values(&b, &s->access);
		dh_layout_put(l, DH_STYLE_DIM, "value changed: ");
		dh_layout_put(l, DH_STYLE_BOLD, dh_buf_str(&b));
		dh_layout_wrap(l, 2);
	}
	if (s->order) {
		dh_layout_put(l, DH_STYLE_RED, s->order);
		dh_layout_wrap(l, 2);
	}
}

static void add_stacks(const struct dh_report *r, const struct dh_finding *f,
	const struct dh_site *s, struct dh_layout *l)
{
	(void)f;
	dh_text_stack(r, "stack", &s->stack, l);
	dh_text_stack(r, "created at", &s->created, l);
}

static void (*const parts[])(const struct dh_report *r, const struct dh_finding *f,
	const struct dh_site *s, struct dh_layout *l) = {add_about, add_source, add_stacks};

void dh_text_site(const struct dh_report *r, const struct dh_finding *f, const struct dh_site *s,
	struct dh_layout *l)
{
	for (size_t i = 0; i < DH_ARRAY_SIZE(parts); i++)
		parts[i](r, f, s, l);
}

void dh_text_pair(const struct dh_report *r, const struct dh_finding *f, struct dh_layout *l)
{
	size_t width = (l->width - 3) / 2;

	for (size_t i = 0; i < DH_ARRAY_SIZE(parts); i++) {
		struct dh_layout side[2];

		for (int k = 0; k < 2; k++) {
			dh_layout_init(&side[k], width, l->color, l->unicode);
			parts[i](r, f, &f->sites[k], &side[k]);
		}
		dh_layout_beside(l, &side[0], &side[1]);
		dh_layout_release(&side[0]);
		dh_layout_release(&side[1]);
	}
}
